import CoreDataStore

/// The table that marks an unfinished copy and records what is copied and how far the copy is.
package enum UnfinishedCopy {
    package static let table = "Z_COPY"
    package static let columns = ["Z_NAME", "Z_STATE", "Z_PLACE"]

    /// The reason why the copy cannot be used as a store, as the end of a sentence.
    package static func reason(_ name: String) -> String { "it is an unfinished copy of '\(name)'" }

    package static let hint =
        "Run the same 'coredata copy' again, which goes on where it was ended, or with --restart to begin anew."

    /// Returns why a copy of `origin` cannot resume the copy of `found`, as the end of a sentence.
    package static func change(_ found: CopyOrigin, _ origin: CopyOrigin) -> String {
        found.name == origin.name
            ? "'\(origin.name)' has changed since its copy was begun, or was opened with another model, or --history was given "
                + "only once"
            : reason(found.name)
    }

    package static let restartHint = "Run 'coredata copy' with --restart, which begins anew."
}
