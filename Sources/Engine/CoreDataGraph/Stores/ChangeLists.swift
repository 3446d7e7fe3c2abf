/// What a save or several of them inserted, updated and deleted, as a list for each kind of change.
package struct ChangeLists<Member> {
    package var inserted: [Member]
    package var updated: [Member]
    package var deleted: [Member]

    package init(inserted: [Member] = [], updated: [Member] = [], deleted: [Member] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Adds what a later save changed.
    package mutating func append(_ later: Self) {
        inserted += later.inserted
        updated += later.updated
        deleted += later.deleted
    }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ChangeLists: Sendable where Member: Sendable {}
