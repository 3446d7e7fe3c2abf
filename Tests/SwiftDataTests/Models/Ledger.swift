import Foundation
import SwiftData

/// A model of which the history of deletions keeps some values.
@Model
final class Entry {
    @Attribute(.preserveValueOnDeletion) var code: String
    @Attribute(.preserveValueOnDeletion) var amount: Decimal?
    @Attribute(.preserveValueOnDeletion) var count: Int
    @Attribute(.preserveValueOnDeletion) var kind: Kind
    @Attribute(.preserveValueOnDeletion) var span: Span?
    var comment: String?
    var account: Account?

    enum Kind: String, Codable, Sendable { case income, expense }
    struct Span: Codable, Equatable {
        var from: Int
        var to: Int
    }

    init(code: String, count: Int = 0, kind: Kind = .income) {
        self.code = code
        self.count = count
        self.kind = kind
    }
}

@Model
final class Account {
    var name: String
    var entries: [Entry] = []
    init(name: String) { self.name = name }
}
