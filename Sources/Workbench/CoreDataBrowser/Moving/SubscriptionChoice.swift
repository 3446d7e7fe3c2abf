import CoreData

/// A subscription as a client asks for it.
struct SubscriptionChoice: Sendable {
    private static let intervals = 15...31_536_000

    let subscription: Subscription
    let host: String

    /// Reads `{"url", "mapping": "feed", keys or {"text"}, "entity", "interval"}`; the interval is in seconds.
    ///
    /// - Throws: `BrowserFailure` or `InspectionError` of status 422 for invalid parts.
    init(_ parts: JSONParts) throws {
        let text = try parts.text("url")
        guard ImportFile.isOnWeb(text), let host = URL(string: text)?.host, !host.isEmpty else {
            throw BrowserFailure.badImportURL
        }
        let mapping: PlaceImport.Mapping
        switch try parts["mapping"].flatMap({ try BrowsedStore.MappingChoice($0) }) {
        case nil: throw JSONParts.missing("mapping")
        case .feed: mapping = .feed
        case .keys(let form): mapping = .given(try form.mapping())
        }
        let entity = try parts.optionalText("entity").flatMap { $0.isEmpty ? nil : $0 }
        if case .feed = mapping, entity == nil { throw JSONParts.missing("entity") }
        let interval = try parts.number("interval")
        if let interval, !Self.intervals.contains(interval) { throw JSONParts.missing("interval") }
        subscription = try Subscription(
            text, mapping, entity: entity, interval: interval.map { TimeInterval($0) })
        self.host = host
    }

    /// Gets what the URL has with its further pages, and imports it in a mode; saved with the subscription if it is one of saving.
    ///
    /// - Throws: `InspectionError`, `CancellationError`; what `change` throws.
    /// - Parameters:
    ///   - change: changes the store's file.
    func run(
        _ mode: EditMode, samples: Int, for model: NSManagedObjectModel, by access: WebAccess,
        change: ((OpenStore) throws -> JSONValue) throws -> JSONValue
    ) throws -> JSONValue {
        var subscription = subscription
        let source = subscription.source(mode: mode, samples: samples) { place, known in
            guard let url = ImportFile.webURL(place) else { return nil }
            return try ImportFile.fetched(url, by: access, unless: known)
        }
        _ = try source.begin(unlessKnownTo: nil)
        try subscription.prepare(source, for: model)
        return try change { [subscription] store in
            guard mode == .save else {
                var refused = RefusedRecords()
                let report = try source.run(in: store, refused: { refused.add($0) })
                return report.shown(refused)
            }
            var kept = subscription
            let report = try kept.imported(source, into: store)
            let now = Date()
            (kept.asked, kept.changed) = (now, now)
            try kept.save(in: store)
            return report.shown(RefusedRecords())
        }
    }
}

extension ImportReport {
    /// The report with what was refused, and with some of the objects.
    func shown(_ refused: RefusedRecords) -> JSONValue {
        guard case .members(let members) = json else { return json }
        return .members(
            members + refused.members + [
                .init(key: "inserts", value: .array(samples.filter { $0.object == nil }.map(\.json))),
                .init(key: "updates", value: .array(samples.filter { $0.object != nil }.map(\.json))),
            ])
    }
}

extension BrowserFailure {
    static let badImportURL = BrowserFailure(
        422, code: "badURL", reason: "only URLs of http and https are downloaded",
        hint: "such as https://example.org/feed.xml")
}
