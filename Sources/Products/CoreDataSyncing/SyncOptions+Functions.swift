import CoreDataStore
import CoreDataSync

extension SyncOptions {
    /// The program's merge functions as the engine calls them.
    var engineFunctions: MergeFunctions {
        mergeFunctions.mapValues { function in
            { values in
                // A value whose bytes are not here cannot be merged.
                guard let objects = try? values.map({ try ValueConversion.plainObject($0) }) else {
                    return values.last ?? .null
                }
                let kind = values.lazy.compactMap(\.kind).first
                return ValueConversion.syncValue(of: function(objects), kind) ?? values.last ?? .null
            }
        }
    }

    /// Refuses a model that names a merge function which the program does not give.
    ///
    /// - Throws: `SyncError` with the code `model`, which names the attribute.
    func checkFunctions(_ schema: SyncSchema) throws {
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            for attribute in entity.attributes {
                guard case .custom(let name) = attribute.rule, mergeFunctions[name] == nil else { continue }
                throw SyncError(
                    .model,
                    "The user info of '\(entity.name).\(attribute.name)' names the merge function '\(name)', which the program does not give.",
                    cure:
                        "Give it in 'mergeFunctions' of SyncOptions; the tool has none, and cannot exchange such a store."
                )
            }
        }
    }
}

extension SyncValue {
    /// The kind of attribute that has such values; nil for null and for what no attribute has.
    fileprivate var kind: AttributeKind? {
        switch self {
        case .bool: .boolean
        case .int: .integer64
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .uri: .uri
        case .date: .date
        case .uuid: .uuid
        case .data: .binary
        case .null, .array, .large, .unknown: nil
        }
    }
}
