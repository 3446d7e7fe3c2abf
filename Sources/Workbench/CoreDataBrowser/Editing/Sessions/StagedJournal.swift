/// Stores the steps of a tab until they are saved or discarded, so that they survive the end of the program.
package protocol StagedJournal: Sendable {
    /// Appends a line; returns when the line is on the disk.
    func append(_ line: String) throws

    /// The complete lines in their order.
    func lines() throws -> [String]

    /// Forgets all lines.
    func clear() throws

    /// Records the new identity of the store's file, after a save has replaced the file.
    func note(_ identity: StoreFileIdentity) throws

    /// Steps that were staged in another file of the same store identifier, which the user has to take or delete; nil
    /// if there are none.
    func setAside() throws -> SetAsideSteps?
}

extension EditJournal: StagedJournal {}
