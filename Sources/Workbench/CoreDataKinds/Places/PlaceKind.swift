import CoreData
import CoreDataPlaces

/// A place on the earth: a latitude and a longitude in two attributes, which may be elements of one composite attribute, or a text
/// with both.
///
/// The parameter `longitude` is the key of the second attribute; without it the names of a pair decide.
struct PlaceKind: ValueKind {
    let name = "place"
    let summary = "a place on the map; parameter longitude: the key of the second attribute"
    let types: Set<AttributeKind> = [.integer16, .integer32, .integer64, .decimal, .double, .float, .string]

    let ownParts: Set = ["longitude"]
    let enteredParts: Set = ["longitude"]

    private static let textWords: Set = [
        "place", "location", "position", "coordinate", "coordinates", "latlng", "latlon", "geo",
    ]

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        let pairs = entity.pairs.compactMap { pair -> KindGuess? in
            let latitudes = entity.values(of: pair.latitude).compactMap(Self.degrees)
            let longitudes = entity.values(of: pair.longitude).compactMap(Self.degrees)
            // Numbers of another measure have the same names: what is stored decides.
            guard latitudes.allSatisfy({ abs($0) <= 90 }), longitudes.allSatisfy({ abs($0) <= 180 }) else { return nil }
            return KindGuess(
                KindUse(kind: name, key: pair.latitude, origin: .guess, others: ["longitude": pair.longitude]),
                .together)
        }
        let texts = entity.guesses(self, GuessRule(words: Self.textWords, needsName: false)) {
            ($0 as? String).flatMap(PlaceText.init) != nil
        }
        // A name alone says little: many places are names of towns.
        return pairs + texts.filter { $0.strength != .name }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        guard AttributeKind(attribute.description) != .string else { return use }
        let entity = attribute.description.entity
        let pairs = entity.map { CoordinatePair.pairs(of: $0) } ?? []
        let path = attribute.key.split(separator: ".").dropLast().map { $0 + "." }.joined()
        let longitude =
            parameters["longitude"].map { path + $0 } ?? pairs.first { $0.latitude == attribute.key }?.longitude
        guard let longitude, longitude != attribute.key,
            entity.map({ KeyedAttribute.all(of: $0).contains { $0.key == longitude } }) ?? true
        else {
            throw InspectionError(
                .badValue, subject: attribute.key, cause: "a place needs a longitude beside its latitude",
                hint: "name its key in the user info '\(KindParameters.userInfoKey).longitude'")
        }
        use.others["longitude"] = longitude
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        guard let key = use.others["longitude"] else {
            let text = values.text(use.key) ?? ""
            guard let place = PlaceText(text) else { return .none(text, "it is no latitude with a longitude") }
            return Self.reading(place, entry: text)
        }
        let (latitude, longitude) = (values[use.key].flatMap(Self.degrees), values[key].flatMap(Self.degrees))
        let text = "\(values[use.key] ?? "nil"), \(values[key] ?? "nil")"
        guard let latitude, let longitude else { return .none(text, "the longitude is missing") }
        guard let place = PlaceText(latitude: latitude, longitude: longitude) else {
            return .none(text, PlaceText.problem(latitude, longitude))
        }
        return Self.reading(place, entry: place.entry)
    }

    /// A place that is a text; the numbers of a pair are entered each in its attribute.
    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        guard let place = PlaceText(text) else {
            let numbers = PlaceText.numbers(text)
            let problem = numbers.map { PlaceText.problem($0[0], $0[1]) } ?? "it is no latitude with a longitude"
            throw refused(attribute, problem, hint: "give degrees, such as 52.52, 13.405")
        }
        guard use.others["longitude"] != nil else { return text.trimmingCharacters(in: .whitespaces) }
        let isLongitude = attribute.name == use.others["longitude"]?.split(separator: ".").last.map(String.init)
        let degrees = isLongitude ? place.longitude : place.latitude
        return try NumberEntry.value(Decimal(string: "\(degrees)") ?? 0, for: attribute)
    }

    private static func reading(_ place: PlaceText, entry: String) -> KindReading {
        var reading = KindReading(place.text, entry: entry, link: place.link)
        reading.place = (place.latitude, place.longitude)
        return reading
    }

    private static func degrees(_ value: Any) -> Double? {
        (value as? NSNumber).map(\.doubleValue).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension EntitySamples {
    fileprivate var pairs: [CoordinatePair] {
        attributes.first?.description.entity.map { CoordinatePair.pairs(of: $0) } ?? []
    }
}

/// A latitude and a longitude in degrees that are on the earth.
struct PlaceText {
    private let coordinate: CLLocationCoordinate2D

    var latitude: Double { coordinate.latitude }
    var longitude: Double { coordinate.longitude }

    /// Nil for a latitude beyond 90 degrees, or a longitude beyond 180.
    init?(latitude: Double, longitude: Double) {
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        guard CLLocationCoordinate2DIsValid(coordinate) else { return nil }
        self.coordinate = coordinate
    }

    /// Reads `52.52, 13.405`, with a blank or a semicolon instead of the comma, and `geo:52.52,13.405` (RFC 5870).
    init?(_ text: String) {
        guard let numbers = Self.numbers(text) else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }

    /// The two numbers of a text; nil if there are others.
    static func numbers(_ text: String) -> [Double]? {
        guard text.utf8.count <= 200 else { return nil }
        var text = text.trimmingCharacters(in: .whitespaces)[...]
        if text.lowercased().hasPrefix("geo:") { text = text.dropFirst(4).prefix { $0 != ";" } }
        let parts = text.split { $0 == "," || $0 == ";" || $0 == " " }
        let numbers = parts.prefix(2).compactMap { part in
            part.allSatisfy { $0.isASCII && ($0.isNumber || ".+-".contains($0)) } ? Double(part) : nil
        }
        return numbers.count == 2 && parts.count == 2 && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    /// Why two numbers are not on the earth.
    static func problem(_ latitude: Double, _ longitude: Double) -> String {
        do {
            _ = try CLLocationCoordinate2D(validatingLatitude: latitude, longitude: longitude)
            return ""
        } catch {
            guard error.attribute == "latitude" else { return "the longitude \(longitude) is beyond 180 degrees" }
            let cause = "the latitude \(latitude) is beyond 90 degrees"
            return error.wouldFitExchanged ? cause + "; the two fit if they are swapped" : cause
        }
    }

    /// Degrees with five digits, which is about a metre, and the half of the earth: `52.52000° N, 13.40500° E`.
    var text: String {
        func side(_ value: Double, _ positive: String, _ negative: String) -> String {
            String(format: "%.5f° %@", abs(value), value < 0 ? negative : positive)
        }
        return side(latitude, "N", "S") + ", " + side(longitude, "E", "W")
    }

    /// The two numbers, as `init(_:)` reads them.
    var entry: String { "\(Self.digits(latitude, 10)), \(Self.digits(longitude, 10))" }

    /// The address of RFC 5870, which has no exponents.
    var link: String { "geo:\(Self.digits(latitude, 6)),\(Self.digits(longitude, 6))" }

    /// At most so many digits after the point, without an exponent.
    private static func digits(_ degrees: Double, _ count: Int) -> String {
        var text = String(format: "%.\(count)f", degrees)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }
}
