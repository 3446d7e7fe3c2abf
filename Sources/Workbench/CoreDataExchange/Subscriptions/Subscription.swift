import CoreData

/// A URL whose records a store is to have, and how it was last asked for them: an entry of the store's metadata.
///
/// Entries are merged one by one when two processes write metadata, so that each keeps what the other has added.
package struct Subscription: Sendable {
    /// What the keys of the entries begin with.
    private static let prefix = "OpenCoreDataSubscription."
    /// The most subscriptions of a store, and the most bytes of a mapping.
    private static let (greatestCount, greatestMapping) = (500, 1 << 16)
    /// What servers and feeds say of how often they change counts up to this.
    private static let longestServedInterval: TimeInterval = 86_400

    package let url: URL
    package let mapping: PlaceImport.Mapping
    /// The entity of a feed's entries.
    package let entity: String?
    /// The least seconds between two requests, in place of what the feed and its server say.
    package let interval: TimeInterval?
    /// What the feed and its server say of how many seconds there will be nothing new.
    package var servedInterval: TimeInterval?
    /// The time before which a busy server wants no request.
    package var notBefore: Date?
    /// When it was last asked for, and when there was something new.
    package var asked: Date?
    package var changed: Date?
    /// Why it could not be refreshed the last time.
    package var failure: String?

    /// - Throws: `InspectionError` for a URL that cannot be subscribed to, and for a mapping that is too large.
    package init(_ place: String, _ mapping: PlaceImport.Mapping, entity: String?, interval: TimeInterval?) throws {
        guard let url = ImportFile.webURL(place) else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(place, limit: 200), cause: "it is no URL of http or https")
        }
        // A token can stand in place of the name.
        guard url.password == nil, url.user == nil else {
            throw InspectionError(
                .badValue, subject: url.host ?? "", cause: "a URL with a password is not kept in a store")
        }
        if case .given(let mapping) = mapping, mapping.origin.count > Self.greatestMapping {
            throw InspectionError(.badValue, subject: "mapping", cause: "it is larger than 64 KiB")
        }
        (self.url, self.mapping, self.entity, self.interval) = (url, mapping, entity, interval)
    }

    private init?(_ list: [String: Any]) {
        guard let place = list["url"] as? String else { return nil }
        let mapping: PlaceImport.Mapping
        if let data = list["mapping"] as? Data {
            guard let given = try? ImportMapping(propertyList: data, named: place) else { return nil }
            mapping = .given(given)
        } else {
            mapping = .feed
        }
        let interval = Self.seconds(list["interval"])
        do { try self.init(place, mapping, entity: list["entity"] as? String, interval: interval) } catch { return nil }
        servedInterval = Self.seconds(list["servedInterval"])
        (notBefore, asked) = (list["notBefore"] as? Date, list["asked"] as? Date)
        (changed, failure) = (list["changed"] as? Date, list["failure"] as? String)
    }

    /// A number of seconds in metadata, which anybody can have written; a year at most.
    private static func seconds(_ value: Any?) -> TimeInterval? {
        guard let seconds = value as? TimeInterval, seconds.isFinite, (0...31_536_000).contains(seconds) else {
            return nil
        }
        return seconds
    }

    private var list: [String: Any] {
        var list: [String: Any] = ["url": url.absoluteString]
        if case .given(let mapping) = mapping { list["mapping"] = mapping.origin }
        list["entity"] = entity
        (list["interval"], list["servedInterval"]) = (interval, servedInterval)
        (list["notBefore"], list["asked"], list["changed"], list["failure"]) = (notBefore, asked, changed, failure)
        return list
    }

    private static func key(_ url: URL) -> String {
        prefix
            + SHA2.sha256(Array(url.absoluteString.utf8)).prefix(16).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
    }

    // MARK: Metadata

    /// The subscriptions in a store's metadata, by their URLs.
    package static func all(in metadata: [String: Any]) -> [Subscription] {
        metadata.filter { $0.key.hasPrefix(prefix) }.values
            .compactMap { ($0 as? [String: Any]).flatMap { Subscription($0) } }
            .sorted { $0.url.absoluteString < $1.url.absoluteString }
    }

    /// The subscription to a URL.
    ///
    /// - Throws: `InspectionError` of code `noObject` if there is none.
    package static func to(_ place: String, in metadata: [String: Any]) throws -> Subscription {
        if let found = all(in: metadata).first(where: { $0.url.absoluteString == place }) { return found }
        let near = NameSuggestion(for: place, in: all(in: metadata).map(\.url.absoluteString))
        throw InspectionError(
            .noObject, subject: PrintableText.escaped(place, limit: 200), cause: "the store has no subscription to it",
            hint: near?.question)
    }

    /// Whether metadata have the subscription as it is here, with the same mapping and times.
    func isPresent(in metadata: [String: Any]) -> Bool {
        guard let entry = (metadata[Self.key(url)] as? [String: Any]).flatMap({ Subscription($0) }) else {
            return false
        }
        return NSDictionary(dictionary: entry.list).isEqual(NSDictionary(dictionary: list))
    }

    /// Saves the subscription in the store's metadata.
    ///
    /// - Throws: `InspectionError`, also if the store has too many.
    package func save(in store: OpenStore) throws {
        var metadata = store.coordinator.metadata(for: store.store)
        let key = Self.key(url)
        guard metadata[key] != nil || Self.all(in: metadata).count < Self.greatestCount else {
            throw InspectionError(
                .badValue, subject: store.facts.url.place,
                cause: "a store keeps at most \(Self.greatestCount) subscriptions")
        }
        metadata[key] = list
        try store.save(metadata)
    }

    /// Removes the subscription; what was imported stays.
    ///
    /// - Throws: `InspectionError`.
    package func remove(from store: OpenStore) throws {
        var metadata = store.coordinator.metadata(for: store.store)
        metadata[Self.key(url)] = nil
        try store.save(metadata)
    }

    // MARK: Time

    /// When the URL is to be asked for again; nil for at once.
    package var due: Date? {
        let next = asked.map { $0.addingTimeInterval(interval ?? servedInterval ?? 0) }
        return [next, notBefore].compactMap { $0 }.max()
    }

    package func isDue(at now: Date) -> Bool { due.map { $0 <= now } ?? true }

    /// The least seconds between two requests of a view that stays open, where it is not known how often there is something new,
    /// and where the subscription itself says it.
    private static let (leastPause, leastInterval): (TimeInterval, TimeInterval) = (300, 15)

    /// When a view that stays open asks for the URL again; nil for at once.
    package var nextInView: Date? {
        let pause = interval.map { max($0, Self.leastInterval) } ?? max(servedInterval ?? 0, Self.leastPause)
        return [asked.map { $0.addingTimeInterval(pause) }, notBefore].compactMap { $0 }.max()
    }

    /// Notes what files say of how long there will be nothing new: the feed's `ttl` (in minutes), and the server.
    mutating func noteInterval(_ files: [ImportFile]) {
        guard let file = files.first else { return }
        let seconds = [file.freshness, (try? file.feedInterval()) ?? nil].compactMap { $0 }.max()
        servedInterval = seconds.map { min(max(0, $0), Self.longestServedInterval) }
    }

    /// `{"url", "mapping", "entity", "interval", "asked", "changed", "due", "failure"}`
    package var json: JSONValue {
        func date(_ date: Date?) -> JSONValue { .text(date.map(ISODate.text)) }
        let isFeed = if case .feed = mapping { true } else { false }
        return .object([
            ("url", .string(url.absoluteString)), ("mapping", .string(isFeed ? "feed" : "given")),
            ("entity", .text(entity)), ("interval", (interval ?? servedInterval).map { .integer(Int64($0)) } ?? .null),
            ("asked", date(asked)), ("changed", date(changed)), ("due", date(due)), ("failure", .text(failure)),
        ])
    }
}

extension OpenStore {
    /// Writes the program's entries of the metadata.
    fileprivate func save(_ metadata: [String: Any]) throws {
        coordinator.setMetadata(metadata, for: store)
        try context.performAndWait { try namingFile { try context.save() } }
    }
}

extension ImportFile {
    /// The seconds that the channel of RSS says a feed may be kept; nil for what is none, or says nothing.
    fileprivate func feedInterval() throws -> TimeInterval? {
        let start = try beginning()
        guard Self.rootElement(ofBeginning: start) == "rss" else { return nil }
        let channel = start.firstRange(of: "<item").map { start[..<$0.lowerBound] } ?? start[...]
        let minutes = channel.firstMatch(of: /<ttl>\s*([0-9]{1,6})\s*<\/ttl>/)?.output.1
        return minutes.flatMap { Double($0) }.map { $0 * 60 }
    }
}
