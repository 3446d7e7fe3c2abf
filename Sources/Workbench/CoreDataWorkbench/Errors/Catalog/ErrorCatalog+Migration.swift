extension ErrorCatalog {
    /// Errors of stores that were made with other versions of the model, and of their migration.
    static let migration = [
        ErrorEntry(
            134100, name: "NSPersistentStoreIncompatibleVersionHashError",
            meaning: "The store was made with another version of the model.",
            causes: [
                "the model was changed in place, without a new version",
                "the options for migration are not set; a container sets them, a coordinator does not",
                "the store is of a newer version than the program",
                "another program migrated or replaced the store while this one had it open",
            ],
            cures: [
                "The user info and `coredata inspect STORE --model MODEL` name the entities that differ.",
                "Add a version to the model rather than change one that was shipped, and set `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption`.",
                "`coredata migrate STORE --to MODEL --plan` says what a migration would do.",
            ]),
        ErrorEntry(
            134110, name: "NSMigrationError", meaning: "A migration failed; the store is as it was.",
            causes: [
                "another coordinator or process has the store open",
                "rows without a value for what the new model requires", "a mapping model that does not fit the models",
                "migrated objects that break rules of the new model", "a stage's handler that threw",
            ],
            cures: [
                "The message names entity, property and mapping; the cause is beneath (`NSUnderlyingErrorKey`).",
                "Close the store elsewhere. `coredata migrate --dry-run` tries it on a copy.",
            ]),
        ErrorEntry(
            134111, name: "NSMigrationConstraintViolationError",
            meaning: "Values that the new model wants unique are there twice.",
            causes: ["a uniqueness constraint that the new version adds"],
            cures: [
                "Find them with `coredata fetch STORE ENTITY --group KEY`, decide which object is the right one, then migrate again."
            ]),
        ErrorEntry(
            134120, name: "NSMigrationCancelledError", meaning: "A migration was cancelled.",
            causes: ["`cancelMigrationWithError(_:)` without an error of the program's own"],
            cures: ["The source store is as it was: begin again."]),
        ErrorEntry(
            134130, name: "NSMigrationMissingSourceModelError",
            meaning: "The version that the store was made with is not known.",
            causes: [
                "a store that keeps no model of itself, of a version that is not among the program's resources"
            ],
            cures: [
                "Keep all versions in the model's package.",
                "Say where they are: `CoreDataMigrationResourcesOption`, or `coredata migrate --from MODEL`.",
            ]),
        ErrorEntry(
            134140, name: "NSMigrationMissingMappingModelError",
            meaning: "No mapping model leads to the model's version.",
            causes: [
                "`NSInferMappingModelAutomaticallyOption` is not set, and there is no mapping model for the two",
                "the models differ in what no rule can infer: the error of inference, 134190, is beneath",
            ],
            cures: [
                "Let it be inferred, or add a mapping model to the target.",
                "`coredata migrate STORE --to MODEL --scaffold FOLDER` writes the mapping model that is needed.",
            ]),
        ErrorEntry(
            134150, name: "NSMigrationManagerSourceStoreError", meaning: "The source of a migration cannot be read.",
            causes: ["no such file, a damaged one, or one of another kind"],
            cures: ["The cause is beneath; `coredata check` looks at the store."]),
        ErrorEntry(
            134160, name: "NSMigrationManagerDestinationStoreError",
            meaning: "The destination of a migration cannot be made.",
            causes: ["its place is taken, is the source's, or cannot be written"],
            cures: ["Choose another place."]),
        ErrorEntry(
            134170, name: "NSEntityMigrationPolicyError", meaning: "A migration policy threw.",
            causes: ["code of the program's own; its error is beneath (`NSUnderlyingErrorKey`)"],
            cures: ["The user info names mapping, entity and method of the policy."]),
        ErrorEntry(
            134190, name: "NSInferredMappingModelError",
            meaning: "The way from one version to the other cannot be inferred.",
            causes: [
                "an attribute of another type, a to-many relationship that becomes to-one, and the other changes that [Migration](Migration.md) lists",
                "values would be lost, and `CoreDataMigrationRefusesLossOption` is set, or `--allow-loss` is not given",
            ],
            cures: [
                "`coredata migrate STORE --to MODEL --scaffold FOLDER` writes the mapping model that is needed, with a place for each decision.",
                "A rename is not a loss with the old name as renaming identifier.",
            ]),
        ErrorEntry(
            134504, name: "NSManagedObjectModelReferenceNotFoundError",
            meaning: "A stage names a model that is not found.",
            causes: ["a reference by name, file or hashes that leads nowhere, or to a model of another checksum"],
            cures: ["`coredata model versions PACKAGE` prints the checksums of all versions."]),
        ErrorEntry(
            134505, name: "NSStagedMigrationFrameworkVersionMismatchError",
            meaning: "The store has version hashes of a kind that is not known.",
            causes: ["a store of a later framework"], cures: ["Migrate it with the program that wrote it."]),
        ErrorEntry(
            134506, name: "NSStagedMigrationBackwardMigrationError",
            meaning: "The store is newer than the model, and stages lead forward only.",
            causes: ["an older program with the store of a newer one"],
            cures: [
                "Use the newer program, or `NSPersistentStoreCoordinator.migrateStore(at:type:to:options:)`, which leads either way."
            ]),
    ]
}
