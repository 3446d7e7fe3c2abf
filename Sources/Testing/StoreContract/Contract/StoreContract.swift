import CoreDataGraph

/// The requirements on every store, as named checks that run on any kind of store.
///
/// A test target runs them on its own store class like this:
///
///     @Test(arguments: StoreContract.checks(for: kind))
///     func contract(check: StoreContract.Check) throws { try check.run() }
///
/// Kinds of stores may differ only in their `capabilities`; `checks(for:about:at:)` leaves out checks that need
/// capabilities that the kind lacks. See `Docs/StoreContract.md` for the rest.
public enum StoreContract {
    /// What a check is about.
    public enum Subject: String, Sendable, CaseIterable {
        /// Values of attributes of each type, inserted, changed and deleted.
        case attributeValues
        /// Saves that succeed.
        case saving
        /// Attributes whose values the store computes.
        case derivedAttributes
        /// Saves that fail, and the state of store and context after them.
        case failedSaves
        /// Conflicts: records that two contexts change at the same time.
        case conflicts
        /// Values that must be unique.
        case constraints
        /// Relationships of each shape.
        case relationships
        /// Relationships with an order.
        case orderedRelationships
        /// Delete rules: which related objects a deletion deletes.
        case deleteRules
        /// Faults: objects whose values are not loaded.
        case faulting
        /// Relationships that a fetch request prefetches.
        case prefetching
        /// Fetch requests.
        case fetching
        /// Fetches of dictionaries, with aggregates and groups.
        case values
        /// Predicates and sort descriptors that the store evaluates.
        case predicates
        /// Identifiers of records.
        case identifiers
        /// Several contexts on one store.
        case severalContexts
        /// Several stores on one coordinator.
        case severalStores
        /// The metadata of the store.
        case metadata
    }

    /// A requirement that is not yet bound to a kind of store.
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
