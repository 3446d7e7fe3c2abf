import CoreData

/// The positions of the boxes in the diagram of a version, stored in the state folder.
struct DiagramPlaces {
    private let kept: ViewState

    /// - Throws: `BrowserFailure` if the folder cannot be made, or the model does not have a file.
    init(of model: EditedModel, _ version: String, in folder: StateFolder) throws {
        guard let url = model.url else { throw BrowserFailure.notFound }
        kept = try ViewState("diagram", ofStore: EditedModel.identifier(of: url, version), in: folder)
    }

    /// The places; nil if none are stored.
    ///
    /// - Throws: `BrowserFailure` where they cannot be read.
    func read() throws -> [String: GraphPlace]? { try Self.places(in: kept.read()) }

    func write(_ places: [String: GraphPlace]) throws {
        let members = places.mapValues { JSONValue.array([.real($0.x), .real($0.y)]) }
        try kept.write(.object([("places", .sorted(members))]))
    }

    /// The positions in JSON of a client or a file; nil if the JSON has none.
    ///
    /// - Throws: `BrowserFailure` 400 for an invalid position.
    static func places(in json: JSONValue) throws -> [String: GraphPlace]? {
        guard case .members(let members) = json, let value = members.first(where: { $0.key == "places" })?.value,
            case .members(let places) = value
        else { return nil }
        var found: [String: GraphPlace] = [:]
        for place in places {
            guard case .array(let parts) = place.value, parts.count == 2,
                let x = number(parts[0]), let y = number(parts[1])
            else { throw BrowserFailure.badRequest("a place is two numbers, x and y") }
            found[place.key] = GraphPlace(x: x, y: y)
        }
        return found
    }

    private static func number(_ json: JSONValue) -> Double? {
        let number: Double? =
            switch json {
            case .integer(let value): Double(value)
            case .number(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite && abs($0) < 1e7 ? $0 : nil }
    }
}
