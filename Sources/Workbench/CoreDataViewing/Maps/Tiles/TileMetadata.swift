import CoreDataWorkbench

/// The table `metadata` of a file of tiles, checked.
///
/// Source: MBTiles 1.3, github.com/mapbox/mbtiles-spec. All values are text from outside.
struct TileMetadata {
    static let greatestZoom = 30
    private static let longestName = 200
    private static let longestAttribution = 1000

    let values: [String: String]

    /// The name, without blanks around it; a default for a file without one.
    ///
    /// - Throws: `TileRefusal` for one that cannot be shown as a name.
    func name() throws(TileRefusal) -> String {
        let name = (values["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { return "MBTiles" }
        guard name.count <= Self.longestName else { throw TileRefusal("the name has more than 200 characters") }
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: scalar != "<" && scalar != ">"
            }
        }
        guard isPlain else { throw TileRefusal("the name has markup or control characters") }
        return name
    }

    /// The attribution as text: markup is taken out, as it may be hostile.
    var attribution: String {
        var text = ""
        var isMarkup = false
        for character in (values["attribution"] ?? "").prefix(Self.longestAttribution) {
            if character == "<" { isMarkup = true }
            let isVisible = !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if !isMarkup, isVisible { text.append(character) }
            if character == ">" { isMarkup = false }
        }
        return text.replacingOccurrences(of: "&copy;", with: "©").replacingOccurrences(of: "&amp;", with: "&")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// - Throws: `TileRefusal` for tiles that are not in the web's Mercator projection, numbered as MBTiles has them.
    func requireScheme() throws(TileRefusal) {
        let scheme = values["scheme"]?.lowercased() ?? "tms"
        guard scheme == "tms" else {
            throw TileRefusal("the tiles are numbered by the scheme '\(Self.shown(scheme))', MBTiles' is tms")
        }
        let profile = (values["profile"] ?? values["crs"] ?? values["srs"] ?? "mercator").lowercased()
        guard ["mercator", "global-mercator", "epsg:3857", "epsg:900913"].contains(profile) else {
            throw TileRefusal("the tiles are in the projection '\(Self.shown(profile))' and not in the web's Mercator")
        }
        let format = (values["format"] ?? "png").lowercased()
        guard ["png", "jpg", "jpeg", "webp", "image/png", "image/jpeg", "image/webp"].contains(format) else {
            throw TileRefusal("the tiles are of the form '\(Self.shown(format))', and not pictures (png, jpg, webp)")
        }
    }

    /// The bounds, if they are four numbers of the Earth.
    func bounds() throws(TileRefusal) -> [Double]? {
        guard let text = values["bounds"], !text.isEmpty else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard numbers.count == 4, abs(numbers[0]) <= 180, abs(numbers[2]) <= 180, abs(numbers[1]) <= 90,
            abs(numbers[3]) <= 90, numbers[1] <= numbers[3]
        else { throw TileRefusal("the bounds are not west, south, east and north in degrees") }
        return numbers
    }

    private static func shown(_ text: String) -> String { PrintableText.escaped(String(text.prefix(40))) }
}

/// Why a file of tiles is not offered as a layer.
struct TileRefusal: Error {
    let cause: String

    init(_ cause: String) { self.cause = cause }
}
