/// Where the steps of a tab are kept until they are saved or discarded, so that they outlive the program.
package protocol StagedJournal: Sendable {
    /// Adds a line, which is on the disk afterwards.
    func append(_ line: String) throws

    /// The whole lines in their order.
    func lines() throws -> [String]

    /// Forgets all lines.
    func clear() throws
}

extension EditJournal: StagedJournal {}
