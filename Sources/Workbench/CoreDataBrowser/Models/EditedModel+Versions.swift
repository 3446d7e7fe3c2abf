import CoreData
import CoreDataModelEditing

extension EditedModel {
    /// Adds a version as a copy of another version's file; `original` nil copies the current version.
    ///
    /// - Throws: `ModelingError` if the name is invalid or copying fails, `BrowserFailure` 409 for a model without
    ///   versions.
    func addVersion(_ name: String, copyOf original: String?) throws {
        try requirePackage().add(name, copyOf: original ?? currentName())
    }

    /// Makes a version the current one.
    ///
    /// - Throws: `ModelingError`, or `BrowserFailure` 409 for a model that is read-only or has no versions.
    func setCurrent(_ name: String) throws { try requirePackage().setCurrent(name) }

    /// Finds out which versions some stores need.
    ///
    /// - Throws: `InspectionError` if a store was made with none of the model's versions.
    func pruning(for stores: [URL]) throws -> ModelPruning { try ModelPruning(requirePackage().url, stores: stores) }

    private func requirePackage() throws -> SourcePackage {
        try requireEditing()
        guard case .package(let package) = form else {
            throw BrowserFailure(
                409, code: "noVersions", reason: "the model is one version without a package around it",
                hint: "put it into an .xcdatamodeld folder")
        }
        return package
    }

    /// The differences of two versions, each with its unsaved edits, and whether a store can be migrated from one to
    /// the other.
    ///
    /// - Throws: `ModelingError` where one is not a model.
    func comparison(from old: String?, to new: String?) throws -> ModelComparisonReport {
        try ModelComparisonReport(modelVersion(old), modelVersion(new))
    }

    /// A version, with its unsaved edits, as a model.
    ///
    /// - Throws: `ModelingError` if it is not a valid model.
    func modelVersion(_ name: String?) throws -> ModelVersion {
        try with(name) { state, name in
            let file = state.file?.url ?? url ?? URL(fileURLWithPath: "/" + name)
            let isCurrent = name == (try? currentName())
            return ModelVersion(
                name: name, model: try state.document.makeModel().model, isCurrent: isCurrent, url: file)
        }
    }
}
