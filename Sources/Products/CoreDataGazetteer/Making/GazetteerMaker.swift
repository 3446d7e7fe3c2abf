import CoreData
import CoreDataPlaces
import Foundation

extension Gazetteer {
    /// What a gazetteer was made of.
    public struct Summary: Sendable, Hashable {
        /// Places.
        public var places = 0
        /// Rows of the table that have no name, and are left out.
        public var nameless = 0
        /// Names by which they are found.
        public var names = 0
        /// Closed lines of borders.
        public var borders = 0
    }

    /// Makes a gazetteer from a table of places and a file of borders, by batch insertions. A file that is there is
    /// replaced when the new one is complete.
    ///
    /// - Parameters:
    ///   - url: Where the store is to be, SQLite.
    ///   - places: A table in CSV with the columns lat, lon, name, admin1, admin2, cc and perhaps population and names.
    ///   - borders: The file `countries.json` of the base map; nil for countries by the nearest place alone.
    ///   - isWanted: Whether a row of the table, counted from 0, is taken.
    /// - Throws: ``GazetteerError`` with the line of the table; errors of the store.
    public static func make(
        at url: URL, places: URL, borders: URL? = nil, isWanted: @escaping (Int) -> Bool = { _ in true }
    ) throws -> Summary {
        let temporary = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).new")
        remove(temporary)
        defer { remove(temporary) }
        let summary: Summary
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: GazetteerModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: temporary,
                options: [NSSQLitePragmasOption: ["journal_mode": "DELETE", "synchronous": "OFF"]])
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            var maker = GazetteerMaker(context)
            summary = try context.performAndWait { try maker.fill(places, borders, isWanted) }
            try coordinator.remove(store)
        }
        remove(url)
        try FileManager.default.moveItem(at: temporary, to: url)
        return summary
    }

    private static func remove(_ url: URL) {
        for ending in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: url.path + ending)
        }
    }
}

/// Fills an empty gazetteer.
private struct GazetteerMaker {
    private let context: NSManagedObjectContext
    private var summary = Gazetteer.Summary()

    init(_ context: NSManagedObjectContext) { self.context = context }

    mutating func fill(_ places: URL, _ borders: URL?, _ isWanted: (Int) -> Bool) throws -> Gazetteer.Summary {
        var table = try PlaceTable(places)
        var names: [(key: String, place: Int)] = []
        var rows: [[String: Any]] = []
        var number = -1
        while let row = try table.row() {
            number += 1
            guard isWanted(number) else { continue }
            guard !row.name.isEmpty else {
                summary.nameless += 1
                continue
            }
            rows.append(Self.values(row, number))
            for key in ([row.name] + row.alternates).reduce(into: Set<String>(), { $0.formUnion(NameFolding.keys($1)) })
            {
                names.append((key, number))
            }
        }
        // In the order of the index, so that its pages are filled one after the other.
        names.sort { $0.key < $1.key }
        (summary.places, summary.names) = (rows.count, names.count)
        try insert(GazetteerModel.place, rows.count) { index, values in values.addEntries(from: rows[index]) }
        try insert(GazetteerModel.name, names.count) { index, values in
            values["key"] = names[index].key
            values["place"] = names[index].place
        }
        if let borders { try fill(try BorderFile(contentsOf: borders), borders) }
        return summary
    }

    private static func values(_ row: PlaceRow, _ number: Int) -> [String: Any] {
        var values: [String: Any] = [
            "number": number, "name": row.name, "country": row.country, "population": row.population,
            "latitude": row.coordinate.latitude, "longitude": row.coordinate.longitude,
        ]
        values["admin1"] = row.admin1
        values["admin2"] = row.admin2
        return values
    }

    private mutating func fill(_ file: BorderFile, _ url: URL) throws {
        var rings: [(String, Data)] = []
        var countries: [(String, String)] = []
        for country in file.countries {
            guard let code = country.code else { continue }
            countries.append((code, country.name))
            for ring in country.rings {
                guard let points = file.points(ring), let border = BorderRing(code: code, points: points) else {
                    throw GazetteerError(
                        .badSource, url, "a border of \(country.name) leaves the Earth",
                        hint: "Scripts/make-land makes one")
                }
                rings.append((code, border.data))
            }
        }
        summary.borders = rings.count
        try insert(GazetteerModel.country, countries.count) { index, values in
            (values["code"], values["name"]) = (countries[index].0, countries[index].1)
        }
        try insert(GazetteerModel.border, rings.count) { index, values in
            (values["code"], values["points"]) = (rings[index].0, rings[index].1)
        }
    }

    private func insert(_ entity: String, _ count: Int, _ fill: @escaping (Int, NSMutableDictionary) -> Void) throws {
        guard count > 0 else { return }
        var index = 0
        let request = NSBatchInsertRequest(entityName: entity) { (values: NSMutableDictionary) -> Bool in
            guard index < count else { return true }
            fill(index, values)
            index += 1
            return false
        }
        request.resultType = .statusOnly
        _ = try context.execute(request)
    }
}
