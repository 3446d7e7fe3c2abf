import CoreDataPlaces

/// What marks a place on the map.
struct Annotation: Equatable {
    /// How an annotation looks.
    enum Look: Equatable {
        /// A pin of a colour.
        case pin(String)
        /// A picture of the program's own.
        case picture(String)
        /// What the map shows for kinds that it does not know.
        case standard
    }

    let title: String
    let subtitle: String
    let coordinate: CLLocationCoordinate2D
    let look: Look

    /// The look of a kind of annotations; that of an unknown kind is the default.
    static func look(ofKind kind: String, pictures: [String: String] = [:]) -> Look {
        if let picture = pictures[kind] { return .picture(picture) }
        return kind == "MapLocation" ? .pin("purple") : .standard
    }
}
