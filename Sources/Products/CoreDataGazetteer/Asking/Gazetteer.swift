import CoreData
import CoreDataPlaces
import Foundation

/// A store of places that is asked by place and by name, without a network.
///
/// Distances are measured on the sphere and named in each placemark; places on both sides of the date line are found.
/// The country is that whose border surrounds the place, else that of the nearest place. A gazetteer knows towns, not
/// streets. May be asked from any thread; requests wait for each other.
public final class Gazetteer: Sendable {
    /// The line that must be shown where placemarks of GeoNames' places are.
    public static let attribution = "GeoNames, CC BY 4.0"

    let context: NSManagedObjectContext
    let attribution: String?
    private let borders: [BorderRing]
    let countryNames: [String: String]

    /// Opens a gazetteer for reading.
    ///
    /// - Parameter attribution: Whose places these are; placemarks have it.
    /// - Throws: ``GazetteerError`` of code `badStore` if the file is no gazetteer.
    public init(contentsOf url: URL, attribution: String? = Gazetteer.attribution) throws {
        self.attribution = attribution
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: GazetteerModel.make())
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                options: [NSReadOnlyPersistentStoreOption: true])
            let context = context
            (borders, countryNames) = try context.performAndWait {
                let rings = try Self.rows(of: GazetteerModel.border, ["code", "points"], in: context).compactMap {
                    row in
                    (row["points"] as? Data).flatMap { BorderRing(code: row["code"] as? String ?? "", data: $0) }
                }
                let names = try Self.rows(of: GazetteerModel.country, ["code", "name"], in: context).compactMap { row in
                    (row["code"] as? String).flatMap { code in (row["name"] as? String).map { (code, $0) } }
                }
                return (rings, Dictionary(names) { first, _ in first })
            }
        } catch {
            throw GazetteerError(
                .badStore, url, "the file is not opened as a gazetteer: \(error.localizedDescription)",
                hint: "make it by 'make gazetteer' or Gazetteer.make")
        }
    }

    static func rows(
        of entity: String, _ keys: [String], where predicate: NSPredicate? = nil, limit: Int = 0,
        in context: NSManagedObjectContext
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = keys
        request.predicate = predicate
        request.fetchLimit = limit
        return try context.fetch(request)
    }

    /// The code of the country whose border surrounds a place; nil at sea, and where no border is known.
    public func country(at place: CLLocationCoordinate2D) -> String? {
        // Holes are rings too, so a place in a hole is surrounded twice.
        var found: [String: Bool] = [:]
        for ring in borders where ring.surrounds(place) { found[ring.code, default: false].toggle() }
        return found.filter(\.value).keys.min()
    }

    /// The name of a country in a language, else as the base map has it.
    func countryName(_ code: String?, _ locale: Locale?) -> String? {
        guard let code else { return nil }
        return locale?.localizedString(forRegionCode: code) ?? countryNames[code]
            ?? Locale(identifier: "en").localizedString(forRegionCode: code)
    }
}

/// A place of the store.
struct GazetteerPlace {
    let number: Int
    let name: String
    let admin1: String?
    let admin2: String?
    let country: String
    let population: Int
    let coordinate: CLLocationCoordinate2D

    static let keys = ["number", "name", "admin1", "admin2", "country", "population", "latitude", "longitude"]

    init?(_ row: NSDictionary) {
        guard let number = row["number"] as? Int, let latitude = row["latitude"] as? Double,
            let longitude = row["longitude"] as? Double, let name = row["name"] as? String
        else { return nil }
        (self.number, self.name) = (number, name)
        coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        (admin1, admin2) = (row["admin1"] as? String, row["admin2"] as? String)
        (country, population) = (row["country"] as? String ?? "", row["population"] as? Int ?? 0)
    }
}
