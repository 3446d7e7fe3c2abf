/// A link between two objects by a relationship.
package struct LinkKey: Hashable, Sendable {
    package let relationship: SchemaID
    package let source: ObjectIdentity
    package let target: ObjectIdentity
}

/// One addition of a link that no applied removal had seen.
package struct LinkTag: Hashable, Sendable {
    package let transaction: TransactionID
    package let time: HybridTime
    package let sourcePosition: ListPosition?
    package let targetPosition: ListPosition?
    /// Whether the link may bring its target back, where the model has it deny the target's deletion.
    package let deniesDeletion: Bool

    static func isEarlier(_ left: LinkTag, _ right: LinkTag) -> Bool {
        left.time != right.time ? left.time < right.time : left.transaction < right.transaction
    }
}
