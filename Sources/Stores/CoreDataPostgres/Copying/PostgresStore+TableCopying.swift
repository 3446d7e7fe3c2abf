import CoreDataSQL

extension PostgresStore: TableCopying {
    package static func tableSource(at url: URL, of model: NSManagedObjectModel) throws -> any TableSource {
        try SchemaTableSource(at: url, of: model)
    }

    package static func tableTarget(at url: URL, for model: NSManagedObjectModel) throws -> any TableTarget {
        try SchemaTableTarget(at: url, for: model)
    }

    /// The server's columns can store every value of their types.
    package static func refusal(of value: StoredValue, in type: ColumnType) -> String? { nil }

    /// Returns the URL of another schema in the same database.
    package static func temporary(for url: URL) -> URL {
        let name = (try? PostgresLocation(url))?.schema ?? ""
        let temporary = StoreSchema.shortened(name + "_unfinished", to: PostgresLocation.longestName)
        let items = (URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []).filter {
            $0.name != "schema"
        }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        parts?.queryItems = items + [URLQueryItem(name: "schema", value: temporary)]
        return parts?.url ?? url
    }
}
