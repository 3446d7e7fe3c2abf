/// Stores the steps of a tab until they are saved or discarded, so that they survive the end of the program.
package protocol StagedJournal: Sendable {
    /// Adds a line, which is on the disk afterwards.
    func append(_ line: String) throws

    /// The complete lines in their order.
    func lines() throws -> [String]

    /// Forgets all lines.
    func clear() throws

    /// Writes down that the store has another file now, since it was saved as a new one.
    func note(_ identity: StoreFileIdentity) throws

    /// What was staged in another file of the same identifier, which a person has to decide about; nil for nothing.
    func setAside() throws -> SetAsideSteps?
}

extension EditJournal: StagedJournal {}
