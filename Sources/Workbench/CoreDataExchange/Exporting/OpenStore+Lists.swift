import CoreData

extension OpenStore {
    /// Writes the objects that a query selects as CSV without a header line, or as a JSON array with one object on each
    /// line.
    ///
    /// `routes` are the key paths that are written of each object; without them, JSON has all properties. `failures`
    /// receives each value that cannot be read, `send` receives the text in blocks.
    /// - Returns: false, with nothing written, if rows do not suffice: for key paths over relationships, and for stores
    /// that
    ///   cannot be read row by row.
    /// - Throws: `InspectionError` if the store cannot be read, and errors of `send`.
    package func writeList(
        of query: ObjectQuery, _ routes: [KeyRoute]?, as format: ListFormat,
        failures: @escaping (String, String) -> Void, to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Bool {
        guard let streaming = store.objects?.rowStreaming else { return false }
        return try context.performAndWait {
            guard var list = RowList(self, routes, as: format, failures: failures) else { return false }
            // What the store throws and what the output throws are different errors.
            var sending: (any Error)?
            do {
                let question = try storeQuery(query)
                let stream = try store.serialized { try streaming.stream(question) }
                try list.write(stream) { bytes in
                    do {
                        try send(bytes)
                    } catch {
                        sending = error
                        throw error
                    }
                }
            } catch {
                throw sending ?? InspectionError.unreadable(facts.url, error)
            }
            return true
        }
    }
}
