import CoreDataGraph

/// What every store must do, as named checks that run on any kind of store.
///
/// A test target runs them on its own store class like this:
///
///     @Test(arguments: StoreContract.checks(for: kind))
///     func contract(check: StoreContract.Check) throws { try check.run() }
///
/// A kind differs from another only by what it declares in its `capabilities`; checks that need more are left out.
/// See `Docs/StoreContract.md` for the rest.
public enum StoreContract {
    /// What a check is about.
    public enum Subject: String, Sendable, CaseIterable {
        /// Values of attributes of each type, inserted, changed and deleted.
        case attributeValues
        /// Saves that work.
        case saving
        /// Attributes whose values the store computes.
        case derivedAttributes
        /// Saves that do not, and what they leave.
        case failedSaves
        /// Records changed by two at a time.
        case conflicts
        /// Values that must be unique.
        case constraints
        /// Relationships of each shape.
        case relationships
        /// Relationships with an order.
        case orderedRelationships
        /// What is deleted with a deleted object, and what stays.
        case deleteRules
        /// Objects without their values.
        case faulting
        /// Relationships that a fetch reads together with its objects.
        case prefetching
        /// Fetch requests.
        case fetching
        /// Dictionaries of values, aggregates and groups.
        case values
        /// Predicates and sort descriptors that the store carries out.
        case predicates
        /// Identifiers of records.
        case identifiers
        /// Several contexts on one store.
        case severalContexts
        /// Several stores on one coordinator.
        case severalStores
        /// What the store says of itself.
        case metadata
    }

    /// A check before it is known on which kind of store it runs.
    struct Clause: Sendable {
        let name: String
        let needs: NSPersistentStore.Capabilities
        let body: @Sendable (ContractStore) throws -> Void

        init(
            _ name: String, needs: NSPersistentStore.Capabilities = [],
            _ body: @escaping @Sendable (ContractStore) throws -> Void
        ) {
            self.name = name
            self.needs = needs
            self.body = body
        }
    }
}
