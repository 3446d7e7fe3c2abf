import CoreDataGazetteer
import CoreDataPlaces
import Foundation
import TestBasics

/// A gazetteer of a table that a test writes.
struct SmallGazetteer {
    static let table = """
        lat,lon,name,admin1,admin2,cc,population,names
        50.93333,6.95,Köln,North Rhine-Westphalia,Regierungsbezirk Köln,DE,1024621,Koeln|Cologne|Colonia|ケルン
        45.57862,9.9418,Cologne,Lombardy,"Provincia di ""Brescia"", more",IT,0,
        48.85341,2.3488,Paris,Île-de-France,,FR,2138551,Parigi|Paname
        33.66094,-95.55551,Paris,Texas,Lamar County,US,25171,
        36.302,-88.32671,Paris,Tennessee,Henry County,US,10156,
        -16.78111,179.3456,Labasa,Northern,Macuata Province,FJ,24187,
        -16.7,-179.9,Taveuni,Northern,,FJ,0,
        78.22334,15.64689,Longyearbyen,Svalbard,,SJ,2060,
        -77.846,166.676,McMurdo Station,,,AQ,1258,
        47.60,7.60,Weil,Baden,,DE,30000,
        47.56,7.59,Basel,Basel-City,,CH,164488,Bâle|Basle
        """

    let folder: TemporaryFolder
    let gazetteer: Gazetteer
    var url: URL { folder.url.appendingPathComponent("g.sqlite") }

    /// - Parameter borders: Countries as boxes: code, west, south, east, north.
    init(_ table: String = table, borders: [(String, Int, Int, Int, Int)] = []) throws {
        folder = try TemporaryFolder()
        let (csv, json) = (folder.url.appendingPathComponent("p.csv"), folder.url.appendingPathComponent("b.json"))
        try Data(table.utf8).write(to: csv)
        let countries = borders.map { code, west, south, east, north in
            """
            {"code":"\(code)","name":"Land \(code)","rings":[[\(west),\(south),\(east - west),0,0,\(north - south),\
            \(west - east),0,0,\(south - north)]]}
            """
        }
        try Data("{\"scale\":100,\"countries\":[\(countries.joined(separator: ","))]}".utf8).write(to: json)
        let url = folder.url.appendingPathComponent("g.sqlite")
        _ = try Gazetteer.make(at: url, places: csv, borders: json)
        gazetteer = try Gazetteer(contentsOf: url)
    }

    func near(_ latitude: Double, _ longitude: Double, limit: Int = 1, locale: Locale? = nil) async throws
        -> [CLPlacemark]
    {
        try await gazetteer.placemarks(
            near: CLLocation(latitude: latitude, longitude: longitude), limit: limit, locale: locale)
    }

    func names(_ text: String, in region: CLRegion? = nil, locale: Locale? = nil) async throws -> [String] {
        try await gazetteer.placemarks(named: text, in: region, limit: 10, locale: locale).map {
            "\($0.name ?? "") \($0.isoCountryCode ?? "")"
        }
    }
}
