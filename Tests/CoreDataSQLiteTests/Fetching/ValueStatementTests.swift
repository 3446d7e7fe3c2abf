import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// What fetches of values send to the file, and what they make of damaged files.
@Suite struct ValueStatementTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Photo",
            [
                "title": .stringAttributeType, "width": .integer32AttributeType, "taken": .dateAttributeType,
                "price": .decimalAttributeType, "isPublic": .booleanAttributeType, "rating": .doubleAttributeType,
                "bytes": .binaryDataAttributeType, "token": .UUIDAttributeType,
            ])
        builder.entity("Portrait", in: "Photo", ["sitter": .stringAttributeType])
        builder.entity("Album", ["name": .stringAttributeType])
        builder.relationships("Album.photos*", "Photo.album")
        return builder.model
    }

    private static func stack(_ count: Int = 20) throws -> Stack {
        let stack = try Stack(model())
        let album = stack.context.insert("Album", ["name": "All"])
        for number in 0..<count {
            stack.context.insert(
                number % 5 == 4 ? "Portrait" : "Photo",
                [
                    "title": "Photo \(number)", "width": number % 7, "taken": Date(timeIntervalSinceReferenceDate: 1),
                    "price": Decimal(number) / 2, "isPublic": number % 2 == 0, "rating": Double(number) / 3,
                    "bytes": Data(count: 1_000), "token": UUID(), "album": album,
                ])
        }
        try stack.context.save()
        stack.context.reset()
        return stack
    }

    private static func dictionaries(_ properties: [Any]?, by keys: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Photo")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.propertiesToGroupBy = keys
        return request
    }

    private static func column(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType)
        -> NSExpressionDescription
    {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        description.expressionResultType = type
        return description
    }

    @Test("values, aggregates, groups and counts are one statement each and leave no row behind (FET-18, FET-11)")
    func oneStatementEach() throws {
        let stack = try Self.stack()
        for request in [
            Self.dictionaries(["title", "album.name"]), Self.dictionaries([Self.column("n", "median(width)")]),
            Self.dictionaries(["width", Self.column("n", "count(SELF)")], by: ["width"]),
        ] {
            stack.expectStatements(1) { #expect((try? stack.context.fetch(request))?.isEmpty == false) }
        }
        stack.expectStatements(1) { #expect((try? stack.context.count(for: Self.dictionaries(["title"]))) == 20) }
        #expect(stack.context.registeredObjects.isEmpty && stack.store.rowCache.count == 0)
    }

    @Test("only the named attributes are read; the object stays a fault and reads the rest when asked (FET-14)")
    func selectedAttributesOfObjects() throws {
        let stack = try Self.stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.propertiesToFetch = ["title", "width", "taken", "price", "isPublic", "rating", "token"]
        request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
        var photos: [NSManagedObject] = []
        let texts = try stack.statements { photos = try stack.context.fetch(request) }
        #expect(texts.count == 1 && !texts[0].contains("ZBYTES") && texts[0].contains("ZTITLE"))
        #expect(photos.count == 20 && photos.allSatisfy { $0.isFault })
        stack.expectStatements(0) {
            for (number, photo) in photos.enumerated() {
                #expect(photo.value(forKey: "title") as? String == "Photo \(number)")
                #expect(photo.value(forKey: "width") as? Int == number % 7)
                #expect(photo.value(forKey: "taken") as? Date == Date(timeIntervalSinceReferenceDate: 1))
                #expect(
                    photo.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(decimal: Decimal(number) / 2))
                #expect(photo.value(forKey: "isPublic") as? Bool == (number % 2 == 0))
                #expect(photo.value(forKey: "rating") as? Double == Double(number) / 3)
                #expect(photo.value(forKey: "token") is UUID)
                #expect(photo.isFault && !photo.hasChanges)
            }
        }
        #expect(photos[4].entity.name == "Portrait")
        stack.expectStatements(1) { #expect((photos[3].value(forKey: "bytes") as? Data)?.count == 1_000) }
        #expect(!photos[3].isFault && photos[3].value(forKey: "title") as? String == "Photo 3")
        stack.context.reset()
        photos = try stack.context.fetch(request)
        #expect(photos[0].value(forKey: "title") as? String == "Photo 0")
        try stack.execute("UPDATE ZPHOTO SET ZTITLE = 'Other', Z_OPT = Z_OPT + 1 WHERE ZRATING = 0")
        #expect(photos[0].value(forKey: "title") as? String == "Photo 0")
        photos[0].setValue(99, forKey: "width")
        #expect(photos[0].value(forKey: "title") as? String == "Other", "the values are those of one row")
        try stack.context.save()
        #expect(try stack.integer("SELECT ZWIDTH FROM ZPHOTO WHERE ZRATING = 0") == 99)
    }

    @Test("a refresh, a full fetch and unsaved changes beside selected attributes (FET-14)")
    func selectedAttributesAndChanges() throws {
        let stack = try Self.stack(3)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.propertiesToFetch = ["title"]
        let photos = try stack.context.fetch(request)
        try stack.execute("UPDATE ZPHOTO SET ZTITLE = 'New', Z_OPT = Z_OPT + 1")
        #expect(photos.allSatisfy { ($0.value(forKey: "title") as? String)?.hasPrefix("Photo") == true })
        stack.context.refresh(photos[0], mergeChanges: false)
        #expect(photos[0].value(forKey: "title") as? String == "New")
        #expect(try stack.context.all("Photo").count == 3)
        #expect(photos[1].value(forKey: "title") as? String == "New")
        stack.context.insert("Photo", ["title": "Inserted"])
        #expect(try stack.context.fetch(request).count == 4)
        request.propertiesToFetch = [Self.column("n", "count(SELF)")]
        expectError(134060) { try stack.context.fetch(request) }
        request.propertiesToFetch = ["album.name"]
        expectError(134060) { try stack.context.fetch(request) }
    }

    @Test("fetched without faults, objects have their values and read relationships when they are asked for (FET-12)")
    func withoutFaults() throws {
        let stack = try Self.stack(4)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.returnsObjectsAsFaults = false
        var photos: [NSManagedObject] = []
        try stack.expectStatements(1) { photos = try stack.context.fetch(request) }
        #expect(photos.count == 4 && photos.allSatisfy { !$0.isFault })
        stack.expectStatements(0) {
            for photo in photos { #expect((photo.value(forKey: "title") as? String)?.hasPrefix("Photo") == true) }
        }
        #expect(photos.allSatisfy { $0.hasFault(forRelationshipNamed: "album") })
        stack.context.reset()
        request.returnsObjectsAsFaults = true
        photos = try stack.context.fetch(request)
        #expect(photos.count == 4 && photos.allSatisfy(\.isFault), "by itself a fetch gives faults")
    }

    @Test("without property values keys only are read, and an access loads the rest (FET-13)")
    func keysOnly() throws {
        let stack = try Self.stack()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.includesPropertyValues = false
        request.propertiesToFetch = ["title"]
        var photos: [NSManagedObject] = []
        let texts = try stack.statements { photos = try stack.context.fetch(request) }
        #expect(texts.count == 1 && !texts[0].contains("ZTITLE") && photos.allSatisfy(\.isFault))
        stack.expectStatements(1) { #expect(photos[3].value(forKey: "title") is String) }
    }

    @Test("whatever a file holds, dictionaries have what the objects have (FET-15)")
    func anyStoredValue() throws {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "short": .integer16AttributeType, "medium": .integer32AttributeType, "long": .integer64AttributeType,
                "flag": .booleanAttributeType, "ratio": .doubleAttributeType, "single": .floatAttributeType,
                "day": .dateAttributeType, "text": .stringAttributeType, "price": .decimalAttributeType,
            ])
        let names = ["short", "medium", "long", "flag", "ratio", "single", "day", "text", "price"]
        let values = [
            "NULL", "0", "1", "-1", "1023", "1024", "32767", "32768", "-32769", "2147483647", "2147483648",
            "9223372036854775807", "0.5", "-1e300", "9e999", "'word'", "'12'", "''", "X'C3A4'", "X''",
            "CAST(X'61FF62' AS TEXT)",
        ]
        let stack = try Stack(builder.model)
        for _ in values { stack.context.insert("Thing", [:]) }
        try stack.context.save()
        for (number, value) in values.enumerated() {
            let changes = names.map { "Z\($0.uppercased()) = \(value)" }.joined(separator: ", ")
            try stack.execute("UPDATE ZTHING SET \(changes) WHERE Z_PK = \(number + 1)")
        }
        let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = names + [Self.column("number", "dayOfDate(day)")]
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        let context = stack.newContext()
        let found = try context.fetch(request)
        let objects = try context.all("Thing", sortedBy: "self")
        #expect(found.count == values.count && objects.count == values.count)
        for (row, (dictionary, object)) in zip(found, objects).enumerated() {
            for name in names {
                let (value, wanted) = (dictionary[name] as? NSObject, object.value(forKey: name) as? NSObject)
                #expect(value == wanted, "\(name), stored as \(values[row])")
                if let value, let wanted { #expect(type(of: value) == type(of: wanted), "\(name), \(values[row])") }
            }
            let time = (object.value(forKey: "day") as? Date)?.timeIntervalSinceReferenceDate
            #expect(dictionary["number"] as? Int64 == time.flatMap(CalendarDay.number), "\(values[row])")
        }
        #expect(found[7]["short"] == nil && found[7]["medium"] as? Int == 32768 && found[10]["medium"] == nil)
    }

    @Test(
        "values that their attributes cannot have are left out, whatever the file holds (FET-15)",
        .timeLimit(.minutes(20)))
    func hostileValues() throws {
        let names = ["title", "width", "taken", "price", "isPublic", "rating", "bytes", "token", "album"]
        let stack = try Self.stack(20)
        var random = SeededRandom(seed: 11)
        let values = [
            "NULL", "9223372036854775807", "-9223372036854775808", "1e308", "-9e999", "9e999", "x'00ff'", "x''",
            "'text'",
            "''", "CAST(x'ff00fe' AS TEXT)", "0.5", "x'62706c6973743030ffffffff'", "'1e999'", "'nan'",
        ]
        for _ in 0..<60 {
            let column = names[random.next(below: names.count)].uppercased()
            try stack.execute(
                "UPDATE ZPHOTO SET Z\(column) = \(values[random.next(below: values.count)]) WHERE Z_PK = \(1 + random.next(below: 20))"
            )
            let aggregates = ["sum", "average", "median", "max", "mode", "stddev"].flatMap { function in
                ["width", "taken", "price", "rating"].map { Self.column("\(function) \($0)", "\(function)(\($0))") }
            }
            for request in [
                Self.dictionaries(names), Self.dictionaries(nil), Self.dictionaries(aggregates),
                Self.dictionaries(["album", "price", Self.column("n", "count(SELF)")], by: ["album", "price"]),
            ] {
                _ = try? stack.context.fetch(request)
            }
        }
        try stack.execute("UPDATE ZPHOTO SET ZTITLE = x'00', ZWIDTH = 'many', Z_ENT = 77 WHERE Z_PK = 1")
        let first = Self.dictionaries(["title", "width", Self.column("me", "SELF")])
        first.predicate = NSPredicate(format: "rating == nil OR rating != nil")
        #expect(try stack.context.fetch(first).contains { $0.count == 0 })
        #expect(!stack.file.problems.isEmpty)
    }
}
