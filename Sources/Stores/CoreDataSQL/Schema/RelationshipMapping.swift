/// Where a to-one relationship is stored: in the row of its object.
package struct ToOneMapping: Sendable, Equatable {
    package let name: String
    /// The number of the destination entity.
    package let destination: Int
    /// The column with the key of the destination row.
    package internal(set) var column: String
    /// The column with the entity number of the destination row; nil if the destination entity has no subentities.
    package internal(set) var entityColumn: String?
    /// The column with this row's position in the ordered inverse; nil if there is no ordered inverse.
    package internal(set) var orderColumn: String?
    /// The name of the inverse relationship.
    package let inverse: String?

    package init(
        name: String, destination: Int, column: String, entityColumn: String? = nil, orderColumn: String? = nil,
        inverse: String?
    ) {
        self.name = name
        self.destination = destination
        self.column = column
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.inverse = inverse
    }
}

/// The column in a member's row for a to-many relationship without inverse.
package struct ForeignKeyMapping: Sendable, Equatable {
    /// The number of the entity that declares the relationship.
    package let owner: Int
    package let relationship: String
    package internal(set) var column: String
    package internal(set) var orderColumn: String?

    package init(owner: Int, relationship: String, column: String, orderColumn: String? = nil) {
        self.owner = owner
        self.relationship = relationship
        self.column = column
        self.orderColumn = orderColumn
    }
}

/// Where a to-many relationship is stored: in the members' rows, or in a join table.
package struct ToManyMapping: Sendable, Equatable {
    package let name: String
    /// The number of the destination entity.
    package let destination: Int
    package let isOrdered: Bool
    package let inverse: String?
    package internal(set) var storage: Storage

    package enum Storage: Sendable, Equatable {
        case foreignKey(ForeignKey)
        case join(Join)
    }

    /// Key columns in the members' table.
    package struct ForeignKey: Sendable, Equatable {
        package internal(set) var table: String
        /// The column with the owner's key.
        package internal(set) var column: String
        /// The column with the entity number of the owner; nil if there is none.
        package internal(set) var entityColumn: String?
        /// The column with the member's position; nil if the relationship is not ordered.
        package internal(set) var orderColumn: String?

        package init(table: String, column: String, entityColumn: String? = nil, orderColumn: String? = nil) {
            self.table = table
            self.column = column
            self.entityColumn = entityColumn
            self.orderColumn = orderColumn
        }
    }

    /// A join table: a table of pairs of keys.
    package struct Join: Sendable, Equatable {
        package internal(set) var table: String
        /// The column with the key of the object that has the relationship.
        package internal(set) var ownColumn: String
        /// The column with the key of the destination object.
        package internal(set) var otherColumn: String
        /// The column with the destination object's position in the relationship; nil if that is not ordered.
        package internal(set) var orderColumn: String?
        /// The column with the owner's position in the inverse; nil if that is not ordered.
        package internal(set) var inverseOrderColumn: String?
        /// Whether the relationship is its own inverse: each pair counts in both directions, whichever column has which
        /// key.
        package let isReflexive: Bool

        package init(
            table: String, ownColumn: String, otherColumn: String, orderColumn: String? = nil,
            inverseOrderColumn: String? = nil, isReflexive: Bool
        ) {
            self.table = table
            self.ownColumn = ownColumn
            self.otherColumn = otherColumn
            self.orderColumn = orderColumn
            self.inverseOrderColumn = inverseOrderColumn
            self.isReflexive = isReflexive
        }
    }
}
