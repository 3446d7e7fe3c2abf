import CoreData

/// How the records of a document become objects: where they lie, of which entities they are, and where the values come from.
///
/// Read from a property list, whose keys Docs/Mappings.md describes. What it names is compared with the model when it is used.
public struct ImportMapping: Sendable {
    /// What becomes of a record that cannot be imported.
    package enum FailureRule: String, CaseIterable, Sendable {
        /// Nothing is imported.
        case stop
        /// The other records are imported.
        case skip
    }

    /// What becomes of a property for which a record has no value.
    package enum MissingRule: String, CaseIterable, Sendable {
        /// A new object has the model's default, another keeps its value.
        case keep
        /// It is set to nil.
        case null
        /// The record is refused.
        case refuse
    }

    /// What becomes of members of a record that no property comes from.
    package enum UnknownRule: String, CaseIterable, Sendable {
        case ignore, refuse
    }

    /// How the object that a record is to become is found.
    package enum Match: Sendable, Equatable {
        /// By the uniqueness constraints of the entity; of an entity without one a new object is made.
        case constraints
        /// By the values of attributes.
        case keys([String])
        /// A new object is made.
        case none
    }

    /// The records at one place, or the objects that records are related to.
    package struct Records: Sendable {
        /// Where they lie: in the document, or in the record around them.
        package var place: DocumentPath
        package var entity: EntityChoice
        package var match = Match.constraints
        package var existing = ExistingObjectRule.update
        package var unknown = UnknownRule.ignore
        /// Whether an object that is not found is made.
        package var creates = true
        package var properties: [Property]
    }

    /// Of which entity an object is.
    package enum EntityChoice: Sendable, Equatable {
        case named(String)
        /// The destination of the relationship.
        case destination
        /// By a value of the record.
        case byValue(DocumentPath, [String: String])
    }

    /// Where the value of a property comes from.
    package struct Property: Sendable {
        package var name: String
        package var source: Source
        package var missing = MissingRule.keep
        package var content: Content
    }

    package enum Source: Sendable, Equatable {
        /// The first place at which there is something.
        case paths([DocumentPath])
        /// A value that all objects get.
        case constant(String)
        /// The URL or path of the document.
        case documentURL
        /// The number of the record in the document, from 0.
        case index

        package var paths: [DocumentPath] { if case .paths(let paths) = self { paths } else { [] } }
    }

    package enum Content: Sendable {
        case value(ValueConversion)
        indirect case related(Records)
    }

    /// The property list that it was read from; empty for one that was made otherwise.
    package var origin = Data()
    /// The form of the document; nil where its name or server says it.
    package var format: ImportFormat?
    /// The encoding of a document that is not in UTF-8, by its name.
    package var encoding: String?
    /// What stands between the fields of a table; nil to find it in its first line.
    package var delimiter: UInt8?
    /// Prefixes of the paths, and the namespaces they stand for.
    package var namespaces: [String: String] = [:]
    package var records: [Records]
    package var failures = FailureRule.stop
    /// Where the URL of the next page is.
    package var nextPage: NextPage?
}

extension ImportMapping {
    /// The entities that records are said to be of.
    package var entityNames: [String] {
        records.flatMap { records in
            switch records.entity {
            case .named(let name): [name]
            case .destination: [String]()
            case .byValue(_, let words): Array(words.values)
            }
        }
    }

    /// The path from which a property comes first; nil where none does.
    package func source(of property: String) -> String? {
        func source(_ records: Records) -> String? {
            for rule in records.properties {
                if rule.name == property, let path = rule.source.paths.first { return path.text }
                if case .related(let related) = rule.content, let path = source(related) { return path }
            }
            return nil
        }
        return records.lazy.compactMap(source).first
    }
}
