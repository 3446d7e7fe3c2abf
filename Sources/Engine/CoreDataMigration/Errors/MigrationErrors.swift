import CoreDataGraph

/// Makes the errors of migrations, as `NSError`s with the codes that Core Data documents.
enum MigrationErrors {
    static func readOnly(_ url: URL) -> NSError {
        CoreDataError.make(
            NSMigrationError,
            "The store '\(url.path)' is of another version of the model and cannot be migrated, as it is opened read-only.",
            hint: "Open it once for writing, or with the version of the model that it was made with.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    static func noSourceModel(_ url: URL, _ reason: String) -> NSError {
        CoreDataError.make(
            NSMigrationMissingSourceModelError,
            "The store '\(url.path)' cannot be migrated: the version of the model that it was made with is not known. "
                + reason, reason: "Can't find model for source store",
            hint: "Keep all versions of the model among the program's resources.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    static func noMappingModel(_ url: URL) -> NSError {
        CoreDataError.make(
            NSMigrationMissingMappingModelError,
            "The store '\(url.path)' cannot be migrated: no mapping model leads from its version to that of the model.",
            reason: "Can't find mapping model for migration",
            hint: "Add a mapping model, or set \(NSInferMappingModelAutomaticallyOption).",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    /// The error for changes of which no mapping can be inferred, with the error of the inference as the underlying
    /// error.
    ///
    /// Codes, reasons and keys are those that Apple's framework uses, according to error messages that programs have
    /// published.
    static func notInferred(_ obstacles: [MigrationAnalysis.Finding], url: URL) -> NSError {
        let code = MigrationAnalysis.refusalCode(obstacles)
        let isOfValues = code == NSMigrationError
        let reason =
            isOfValues
            ? "Validation error missing attribute values on mandatory destination attribute"
            : "Can't find or automatically infer mapping model for migration"
        var info: [String: Any] = [NSFilePathErrorKey: url.path, "items": obstacles.map(\.item.path)]
        if let first = obstacles.first {
            info["entity"] = first.item.entity ?? first.item.name
            info[isOfValues ? "attribute" : "property"] = first.item.name
        }
        return CoreDataError.make(
            code, "The store '\(url.path)' cannot be migrated: \(sentences(obstacles))", reason: reason,
            hint: obstacles.lazy.compactMap(\.hint).first ?? "Write a mapping model for these changes.",
            underlying: obstacles.isEmpty ? nil : InferredMapping.refusal(obstacles), userInfo: info)
    }

    /// The error for a migration that would lose data, if the store's options refuse losses.
    static func wouldLose(_ losses: [MigrationAnalysis.Finding], url: URL) -> NSError {
        CoreDataError.make(
            NSInferredMappingModelError,
            "The store '\(url.path)' is not migrated, since data would be lost: \(sentences(losses))",
            reason: "Data would be lost",
            hint: losses.lazy.compactMap(\.hint).first
                ?? "Leave \(CoreDataMigrationRefusesLossOption) out if the data may go.",
            userInfo: ["items": losses.map(\.item.path)])
    }

    static func sentences(_ findings: [MigrationAnalysis.Finding]) -> String {
        let texts = findings.prefix(10).map { "\($0.item.kind.rawValue) \($0.item.path): \($0.reason)" }
        let more = findings.count > texts.count ? " And \(findings.count - texts.count) more." : ""
        return texts.map { "\($0)." }.joined(separator: " ") + more
    }
}
