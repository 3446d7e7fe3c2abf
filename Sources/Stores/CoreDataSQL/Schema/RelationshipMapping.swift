/// Where a to-one relationship is stored: in the row of its object.
package struct ToOneMapping: Sendable, Equatable {
    package let name: String
    /// The number of the destination entity.
    package let destination: Int
    /// The column with the key of the row at the other end.
    package internal(set) var column: String
    /// The column with the number of that row's entity; there is one where the destination entity has sub-entities.
    package internal(set) var entityColumn: String?
    /// The column with this row's place in the ordered to-many relationship at the other end.
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

/// The column in a child's row for a to-many relationship without an inverse.
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

/// Where a to-many relationship is stored: in the children's rows, or in a table of its own.
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

    /// Columns in the table of the destination entity.
    package struct ForeignKey: Sendable, Equatable {
        package internal(set) var table: String
        /// The owner's key.
        package internal(set) var column: String
        /// The number of the owner's entity, where that is recorded.
        package internal(set) var entityColumn: String?
        /// The child's place among the owner's children; nil if the relationship is not ordered.
        package internal(set) var orderColumn: String?

        package init(table: String, column: String, entityColumn: String? = nil, orderColumn: String? = nil) {
            self.table = table
            self.column = column
            self.entityColumn = entityColumn
            self.orderColumn = orderColumn
        }
    }

    /// A table of pairs of keys.
    package struct Join: Sendable, Equatable {
        package internal(set) var table: String
        /// The key of the object that has the relationship.
        package internal(set) var ownColumn: String
        /// The key of the object that the relationship leads to.
        package internal(set) var otherColumn: String
        /// The other object's place among those that the relationship leads to; nil if it is not ordered.
        package internal(set) var orderColumn: String?
        /// The own object's place in the inverse relationship; nil if that is not ordered.
        package internal(set) var inverseOrderColumn: String?
        /// Whether the relationship is its own inverse: a pair counts in both directions, in whichever it is stored.
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
