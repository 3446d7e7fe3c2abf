import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import Testing

@Suite("Objects on a map")
struct MapTests {
    @Test("what lies in a box is found by each kind of store as by hand (BRW-39)", arguments: StoreKind.all)
    func whatLiesInBoxIsFoundByEachKindOfStoreAsByHand(_ kind: StoreKind) throws {
        let scene = try MapScene(kind)
        for (box, west, east) in [("-10.5,-20,60,70", -10.5, 60.0), ("150,-20,-120,70", 150.0, -120.0)] {
            let map = try scene.ask(box: box)
            let inside = scene.places.filter { place in
                let isBetween =
                    west < east
                    ? (west...east).contains(place.longitude) : place.longitude >= west || place.longitude <= east
                return isBetween && (-20...70).contains(place.latitude)
            }
            #expect(!inside.isEmpty && map.count == inside.count)
            #expect(try scene.count(map.condition) == inside.count)
            #expect(map.clusters.allSatisfy { ($0.count == 1) == ($0.object != nil) })
        }
        #expect(try scene.ask().count == scene.places.count)
        let some = try scene.ask(where: "name == 'Hero 7' OR name == 'Hero 8'", box: "-180,-90,180,90")
        #expect(some.count == 2)
        #expect(try scene.count(some.condition) == 2)
    }

    @Test("a single point is its object, and objects at one place are a list (BRW-39)", arguments: StoreKind.all)
    func singlePointIsItsObject(_ kind: StoreKind) throws {
        let scene = try MapScene(kind, count: 5)
        let first = try #require(scene.places.first)
        for name in ["A", "B", "C"] {
            scene.stack.context.insert("Hero", ["name": name, "latitude": 10.25, "longitude": -0.0000005])
        }
        try scene.stack.context.save()
        let map = try scene.ask(zoom: MapRequest.greatestZoom)
        let single = try #require(map.clusters.first { $0.latitude == first.latitude })
        let object = try scene.stack.context.object(at: try #require(single.object), in: scene.stack.store)
        #expect(object.value(forKey: "name") as? String == "Hero 0" && single.longitude == first.longitude)
        let same = try #require(map.clusters.first { $0.count == 3 })
        #expect(same.object == nil)
        #expect(try scene.count(try #require(same.condition)) == 3)
    }

    @Test("answers are bounded however many objects there are (BRW-39)")
    func answersAreBoundedHoweverManyObjects() throws {
        let scene = try MapScene(.sqlite, count: 20_000)
        for zoom in [nil, 0, 20] {
            let map = try scene.ask(box: "-180,-90,180,90", zoom: zoom)
            #expect(map.count == 20_000 && map.clusters.count <= 33 * 33)
        }
        let near = try scene.ask(box: "0,0,20,10", zoom: 20)
        #expect(near.zoom > 4 && near.clusters.count <= 33 * 33 && near.count > 0)
    }

    @Test("pairs are found by their names, within a composite too (BRW-39)", arguments: StoreKind.all)
    func pairsAreFoundByTheirNames(_ kind: StoreKind) throws {
        let scene = try MapScene(kind, count: 40)
        let map = try scene.ask(latitude: "home.lat", box: "-90,-45,90,45")
        #expect(map.pairs.map(\.longitude) == ["longitude", "home.lng"] && map.pair.longitude == "home.lng")
        #expect(map.count == 40)
        #expect(try scene.count(map.condition) == 40)
    }

    @Test("names with latitude and longitude in the same words are pairs, and no others (BRW-39)")
    func namesWithLatitudeAndLongitudeInSameWordsArePairs() {
        let entity = NSEntityDescription()
        let names = [
            "homeLatitude", "homeLongitude", "work_lat", "work_lng", "lat", "long", "flat", "longing", "shopLatitude",
        ]
        entity.properties = (names + ["textLat", "textLon"]).map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = name.hasPrefix("text") ? .stringAttributeType : .floatAttributeType
            return attribute
        }
        #expect(
            CoordinatePair.pairs(of: entity).map { "\($0.latitude)|\($0.longitude)" } == [
                "homeLatitude|homeLongitude", "lat|long", "work_lat|work_lng",
            ])
    }

    @Test("an invalid box, pair or coordinate is refused (BRW-39)")
    func invalidBox() throws {
        let scene = try MapScene(.sqlite, count: 3)
        for box in ["1,2,3", "a,b,c,d", "0,50,10,40", "-181,0,0,10", "0,0,nan,1", "0,-91,1,1", "0,0,inf,1", ",,,"] {
            #expect(throws: InspectionError.self) { try scene.ask(box: box) }
        }
        #expect(throws: InspectionError.self) { try scene.ask(latitude: "name") }
        let power = try #require(scene.stack.model.entitiesByName["Power"])
        #expect(throws: InspectionError.self) {
            try MapRequest(power, in: scene.stack.store, where: nil, box: nil, zoom: nil)
        }
        scene.stack.context.insert("Hero", ["name": "Pixel", "latitude": 640.0, "longitude": 480.0])
        try scene.stack.context.save()
        #expect(throws: InspectionError.self) { try scene.ask() }
    }

    @Test("a store without coordinates shows the world, empty (BRW-39)")
    func storeWithoutCoordinatesShowsWorld() throws {
        let map = try MapScene(.sqlite, count: 0).ask()
        #expect(map.count == 0 && map.box == .world && map.clusters.isEmpty)
    }
}
