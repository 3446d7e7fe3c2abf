import CoreDataGraph
import Testing

extension StoreContract {
    /// The checks that stores of a kind must pass, each on a store of its own.
    ///
    /// - Parameter location: where a new store may be made, called for each store with a name that states its purpose;
    ///   each answer must be another place. A file in a temporary folder by default.
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
