/// The join table of a many-to-many relationship, with the names under which existing stores may have it.
package struct JoinTable: Sendable, Equatable {
    /// The relationship that the table is named after, as `Entity.relationship`, for messages.
    package let relationship: String
    package internal(set) var table: String
    /// Other names that the table may have in an existing store, the likeliest first.
    let otherNames: [String]
    /// The key columns: of the objects that have the relationship, and of its destination objects.
    package internal(set) var ownColumn: Column
    package internal(set) var otherColumn: Column
    package internal(set) var orderColumn: Column?
    package internal(set) var inverseOrderColumn: Column?

    /// A column; `plainName` is its name without the digits that distinguish it from columns of other join tables.
    package struct Column: Sendable, Equatable {
        package internal(set) var name: String
        let plainName: String
    }
}
