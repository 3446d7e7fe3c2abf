import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import Testing

/// Heroes at places all over the world, with a second pair of coordinates in a composite attribute.
final class MapScene {
    static let attributes = """
        <attribute name="latitude" optional="YES" attributeType="Double"/>
        <attribute name="longitude" optional="YES" attributeType="Double"/>
        """

    let stack: Stack
    let places: [(latitude: Double, longitude: Double)]

    init(_ kind: StoreKind, count: Int = 300) throws {
        let model = try SuperDB.model(Self.attributes)
        let home = NSCompositeAttributeDescription()
        home.name = "home"
        home.isOptional = true
        home.elements = ["lat", "lng"].map { name in
            let element = NSAttributeDescription()
            element.name = name
            element.attributeType = .doubleAttributeType
            element.isOptional = true
            return element
        }
        model.entitiesByName["Hero"]?.properties.append(home)
        stack = try Stack(model, kind: kind)
        places = (0..<count).map { number in
            let latitude = (number * 7_919) % 17_000 - 8_500
            let longitude = (number * 104_729) % 36_000 - 18_000
            return (Double(latitude) / 100, Double(longitude) / 100)
        }
        for (number, place) in places.enumerated() {
            stack.context.insert(
                "Hero",
                [
                    "name": "Hero \(number)", "latitude": place.latitude, "longitude": place.longitude,
                    "home": ["lat": place.latitude / 2, "lng": place.longitude / 2],
                ])
        }
        stack.context.insert("Hero", ["name": "Nowhere"])
        try stack.context.save()
    }

    func ask(
        where condition: String? = nil, latitude: String? = nil, box: String? = nil, zoom: Int? = nil
    ) throws -> ObjectMap {
        let entity = try #require(stack.model.entitiesByName["Hero"])
        let question = try MapRequest(
            entity, in: stack.store, where: condition, latitude: latitude, box: box, zoom: zoom)
        return try stack.context.map(of: question, in: stack.store)
    }

    /// How many objects a list has.
    func count(_ condition: String) throws -> Int {
        let entity = try #require(stack.model.entitiesByName["Hero"])
        return try stack.context.identifiers(
            ObjectQuery(entity, in: stack.store, where: condition), in: stack.store
        ).count
    }
}
