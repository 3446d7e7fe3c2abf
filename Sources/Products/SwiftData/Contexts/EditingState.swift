import Foundation

/// A context as a store of one's own sees it.
public struct EditingState: Hashable, Identifiable, Sendable {
    /// Identifies the context.
    public let id: UUID
    /// Who makes the changes, for stores that keep a history.
    public let author: String?

    init(id: UUID = UUID(), author: String?) {
        self.id = id
        self.author = author
    }
}

/// A store that keeps something for each context.
protocol EditingStateFollowing: AnyObject {
    /// A context is no longer there.
    func end(_ state: EditingState)
}
