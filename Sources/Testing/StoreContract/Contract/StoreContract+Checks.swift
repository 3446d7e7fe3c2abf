import CoreDataGraph
import Testing

extension StoreContract {
    /// The checks that stores of a kind must pass, each on a store of its own.
    ///
    /// - Parameter location: returns a different URL for each new store; its argument is a name that states the store's
    ///   purpose. By default, a file in a temporary folder.
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

    /// One requirement on stores, to be checked on a kind of store.
    public struct Check: Sendable, CustomTestStringConvertible {
        fileprivate let clause: Clause
        /// What the check is about.
        public let subject: Subject
        /// The kind of store that is checked.
        public let kind: StoreKind
        fileprivate let location: (@Sendable (String) throws -> URL)?

        /// The requirement, after the identifiers of the catalog's rows that the check covers.
        public var name: String { clause.name }
        /// The capabilities that a store needs for this check to apply.
        public var needs: NSPersistentStore.Capabilities { clause.needs }
        /// The name with the kind of store.
        public var testDescription: String { "\(kind.type): \(clause.name)" }

        /// Creates a store and checks it; records failures as issues of the running test.
        ///
        /// - Throws: an error of the store that the check does not expect.
        public func run() throws {
            let store = try ContractStore(kind: kind, location: location)
            try withExtendedLifetime(store) { try clause.body(store) }
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
