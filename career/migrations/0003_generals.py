from django.db import migrations, models


def read_again(apps, schema_editor):
    """Let the follower read the log from its beginning: Generals and forfeits are told by the digests, renown by the folds."""
    apps.get_model("career", "Checkpoint").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("career", "0002_standing"),
    ]

    operations = [
        migrations.AddField(
            model_name="seatdigest",
            name="forfeited",
            field=models.BooleanField(default=False, help_text="A forfeited match is not credited."),
        ),
        migrations.AddField(
            model_name="standing",
            name="renown",
            field=models.PositiveIntegerField(
                default=0,
                help_text="What the career level of a King is made of. It is ceremony: no engine reads it.",
            ),
        ),
        migrations.RunPython(read_again, migrations.RunPython.noop),
    ]
