"""The schema in which careers are derived again, beside those that are shown (:mod:`career.rebuilding`)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("career", "0010_taken_back")]

    operations = [
        migrations.RunSQL("create schema if not exists anew", "drop schema if exists anew cascade"),
    ]
