/// A many-to-many relationship's table, with the names that another writer may have given it.
package struct JoinTable: Sendable, Equatable {
    /// The relationship that the table is named after, as `Entity.relationship`, for messages.
    package let relationship: String
    package internal(set) var table: String
    /// Names under which the table may stand instead, the likeliest first.
    let otherNames: [String]
    /// The column of each end: of the rows that have the relationship, and of those that it leads to.
    package internal(set) var ownColumn: Column
    package internal(set) var otherColumn: Column
    package internal(set) var orderColumn: Column?
    package internal(set) var inverseOrderColumn: Column?

    /// A column with the name that it has unless another table of the store took it first.
    package struct Column: Sendable, Equatable {
        package internal(set) var name: String
        let plainName: String
    }
}
