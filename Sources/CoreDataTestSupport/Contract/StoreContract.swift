import CoreDataGraph
import Testing

/// What every store must do, as named checks that run on any kind of store.
///
/// A test target runs them on its own store class like this:
///
///     @Test(arguments: StoreContract.checks(for: kind))
///     func contract(check: StoreContract.Check) throws { try check.run() }
///
/// A kind differs from another only by what it declares in its `capabilities`; checks that need more are left out.
/// `Docs/StoreContract.md` tells the rest.
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
        /// What goes with a deleted object, and what stays.
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

    /// The checks that stores of a kind must pass, each on a store of its own.
    ///
    /// - Parameter location: where a new store may be made, asked for each store with a name that says what it is for;
    ///   each answer must be another place. A file in a temporary folder unless given.
    public static func checks(
        for kind: StoreKind, about subjects: [Subject] = Subject.allCases,
        at location: (@Sendable (String) throws -> URL)? = nil
    ) -> [Check] {
        subjects.flatMap { subject in
            clauses(subject).filter { kind.capabilities.isSuperset(of: $0.needs) }.map {
                Check(clause: $0, subject: subject, kind: kind, location: location)
            }
        }
    }

    /// One thing that a store must do, bound to the kind of store that is to do it.
    public struct Check: Sendable, CustomTestStringConvertible {
        fileprivate let clause: Clause
        /// What the check is about.
        public let subject: Subject
        /// The kind of store that is checked.
        public let kind: StoreKind
        fileprivate let location: (@Sendable (String) throws -> URL)?

        /// What the store must do, after the identifiers of the catalogue's rows that this covers.
        public var name: String { clause.name }
        /// What a store must be able to do to be checked.
        public var needs: NSPersistentStore.Capabilities { clause.needs }
        /// The name with the kind of store.
        public var testDescription: String { "\(kind.type): \(clause.name)" }

        /// Makes a store and checks it; what is wrong is recorded as issues of the test that runs.
        ///
        /// - Throws: what the store throws where it must not.
        public func run() throws {
            let store = try ContractStore(kind: kind, location: location)
            try withExtendedLifetime(store) { try clause.body(store) }
        }
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

    private static func clauses(_ subject: Subject) -> [Clause] {
        switch subject {
        case .attributeValues: attributeValues
        case .saving: saving
        case .derivedAttributes: derivedAttributes
        case .failedSaves: failedSaves
        case .conflicts: conflicts
        case .constraints: constraints
        case .relationships: relationships
        case .orderedRelationships: orderedRelationships
        case .deleteRules: deleteRules
        case .faulting: faulting
        case .prefetching: prefetching
        case .fetching: fetching
        case .values: values
        case .predicates: predicates
        case .identifiers: identifiers
        case .severalContexts: severalContexts
        case .severalStores: severalStores
        case .metadata: metadata
        }
    }
}
