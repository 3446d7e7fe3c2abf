import CoreData
import CoreDataViewing
import CoreDataWorkbench
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Maps of stores with an R-tree index, which counts the points, beside maps by the table.
@Suite struct IndexedMapTests {
    private static func model(longitudeFirst: Bool = false) throws -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Place",
            ["latitude": .doubleAttributeType, "longitude": .doubleAttributeType, "name": .stringAttributeType])
        let keys = longitudeFirst ? ["longitude", "latitude"] : ["latitude", "longitude"]
        let elements = keys.compactMap { builder["Place"].propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: .rTree)
        }
        builder["Place"].indexes = [NSFetchIndexDescription(name: "place", elements: elements)]
        return builder.model
    }

    private func fill(_ stack: Stack, _ count: Int) throws {
        var random = SeededRandom(seed: 5)
        var rows: [[String: Any]] = []
        let edges = [-180.0, -90, -45, -22.5, -11.25, 0, 11.25, 22.5, 45, 90, 180, 0.1, -0.1, 22.499999999, 1e-9]
        for latitude in edges where abs(latitude) <= 90 {
            for longitude in edges { rows.append(["latitude": latitude, "longitude": longitude]) }
        }
        for _ in 0..<count {
            rows.append([
                "latitude": Double.random(in: -90...90, using: &random),
                "longitude": Double.random(in: -180...180, using: &random),
            ])
        }
        for _ in 0..<40 { rows.append(["latitude": 10.1, "longitude": 20.2]) }
        for _ in 0..<30 { rows.append(["name": "nowhere"]) }
        for _ in 0..<20 { rows.append(["latitude": 5.0]) }
        for _ in 0..<20 { rows.append(["longitude": 7.0]) }
        let request = NSBatchInsertRequest(entityName: "Place", objects: rows)
        try stack.context.performAndWait { _ = try stack.context.execute(request) }
    }

    private func ask(_ stack: Stack, where condition: String? = nil, box: String?, zoom: Int? = nil) throws -> ObjectMap
    {
        let entity = try #require(stack.model.entitiesByName["Place"])
        let question = try MapRequest(entity, in: stack.store, where: condition, box: box, zoom: zoom)
        return try stack.context.map(of: question, in: stack.store)
    }

    private static let boxes = [
        nil, "-180,-90,180,90", "170,-60,-170,60", "-10,-10,10,10", "0,0,45,45", "20,10,20.5,10.5", "-180,-90,-180,90",
        "10,50,11,50", "179.9,-90,-179.9,90", "22.5,0,22.5,0",
    ]

    @Test("an R-tree index counts what the table has, cell by cell (MAP-05)", arguments: [false, true])
    func countsOfIndex(longitudeFirst: Bool) throws {
        let stack = try Stack(Self.model(longitudeFirst: longitudeFirst))
        try fill(stack, 3000)
        for box in Self.boxes {
            for zoom in [nil, 0, 3] {
                let byIndex = try ask(stack, box: box, zoom: zoom)
                let byTable = try ask(stack, where: "TRUEPREDICATE", box: box ?? "-180,-90,180,90", zoom: zoom)
                #expect(byIndex.count == byTable.count, "\(box ?? "all") \(zoom ?? -1)")
                guard byIndex.zoom == byTable.zoom else { continue }
                #expect(byIndex.clusters.map(\.count).sorted() == byTable.clusters.map(\.count).sorted())
                for cluster in byIndex.clusters {
                    // Rounded to 32 bits, unless it is one object.
                    let isThere = byTable.clusters.contains {
                        abs($0.latitude - cluster.latitude) < 3e-5 && abs($0.longitude - cluster.longitude) < 3e-5
                            && $0.count == cluster.count && $0.object == cluster.object
                    }
                    #expect(isThere)
                }
            }
        }
    }

    @Test("a map has at most 500 clusters, with an index and without, whatever zoom is asked for (MAP-05)")
    func boundedClusters() throws {
        let stack = try Stack(Self.model())
        try fill(stack, 5000)
        for condition in [nil, "TRUEPREDICATE"] {
            for zoom in [nil, 0, 1, 5, 20] {
                for box in ["-180,-90,180,90", "-100,-80,100,80", "170,-60,-170,60"] {
                    let map = try ask(stack, where: condition, box: box, zoom: zoom)
                    #expect(map.clusters.count <= 500 && map.count > 0)
                }
            }
        }
    }

    @Test("a list of a map's condition has as many objects as the map, also at one place (MAP-05)")
    func conditions() throws {
        let stack = try Stack(Self.model())
        try fill(stack, 300)
        func count(_ condition: String) throws -> Int {
            let entity = try #require(stack.model.entitiesByName["Place"])
            return try stack.context.identifiers(
                ObjectQuery(entity, in: stack.store, where: condition), in: stack.store
            ).count
        }
        let map = try ask(stack, box: "20,10,20.5,10.5", zoom: 20)
        #expect(map.count == 40)
        #expect(try count(map.condition) == 40)
        let world = try ask(stack, box: "-180,-90,180,90")
        #expect(try count(world.condition) == world.count)
        for cluster in world.clusters { #expect((cluster.count == 1) == (cluster.object != nil)) }
    }

    @Test("a damaged tree ends neither the program nor the wait for an answer (MAP-05)")
    func damagedTreeIsSurvived() throws {
        let stack = try Stack(Self.model())
        try fill(stack, 500)
        let right = try ask(stack, box: "-180,-90,180,90").count
        try stack.coordinator.remove(stack.store)
        let connection = try Connection.open(stack.url.path)
        let table = try #require(
            try connection.rows("SELECT name FROM sqlite_master WHERE name LIKE '%\\_node' ESCAPE '\\'").first?.first)
        guard case .text(let name) = table else { return }
        let root = try connection.rows("SELECT data FROM \(name) WHERE nodeno = 1")
        connection.close()
        guard case .blob(let bytes)? = root.first?.first else { return }
        #expect(bytes.count > 28 && right > 500)
        // A root that says it has more entries than bytes, or is its own child. Written by a program without defences.
        for (place, value) in [(2, 0xFF), (1, 0x30), (11, 1)] as [(Int, UInt8)] {
            var damaged = bytes
            damaged[place] = value
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let hex = damaged.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            process.arguments = [
                "python3", "-c",
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('UPDATE '+sys.argv[2]+' SET data=? WHERE nodeno=1',"
                    + "(bytes.fromhex(sys.argv[3]),)); c.commit()", stack.url.path, name, hex,
            ]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let again = try Stack(Self.model(), url: stack.url)
            // SQLite may refuse the damaged tree too; nothing may trap or hang.
            _ = try? ask(again, box: "-180,-90,180,90")
            try again.coordinator.remove(again.store)
        }
    }
}
