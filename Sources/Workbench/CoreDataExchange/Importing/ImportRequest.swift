import CoreData

/// What is to be imported, and how.
package struct ImportRequest {
    package var files: [ImportFile]
    package var format: ImportFormat?
    /// The entity of the objects for which the files name no entity.
    package var entity: String?
    /// Maps names of properties in the files to the names of these properties in the model.
    package var renames: [String: String] = [:]
    /// Names of properties in the files that are not imported.
    package var leftOut: Set<String> = []
    /// The rule that finds existing objects to update; if it is nil, all imported objects are inserted.
    package var match: MatchRule?
    /// How records of documents become objects; nil where files have objects as `export` writes them. It says in place of
    /// `entity`, `renames`, `leftOut` and `match` what they do.
    package var mapping: ImportMapping?
    package var mode = EditMode.save
    /// After how many records what has come is committed; nil to commit all together.
    package var batchSize: Int?
    /// What the store is to remember of the import.
    var memory: ImportMemory?
    /// Called after each batch that has changed something is committed.
    var onCommit: @Sendable () -> Void = {}
    /// Whether the remaining objects are imported if some objects are refused.
    package var passesOverRefused = false
    /// How many inserted and updated objects of each entity the report lists.
    package var sampleLimit = 0

    package init(files: [ImportFile]) { self.files = files }

    /// Takes paths; `-` is standard input.
    package init(files: [String]) { self.init(files: files.map { ImportFile($0) }) }
}
