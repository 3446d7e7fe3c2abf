import CoreData
import SQLiteKit
import StoreContract
import Testing

@Suite("Rows that are not as the model has them")
struct RowTests {
    @Test("rows of unknown and of abstract entities are passed over and reported, never another class (HAZ-18)")
    func strangeEntityNumbers() throws {
        let url = try SampleStore.make()
        let whole = try #require(Survey(url).contents)
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET Z_ENT = 999 WHERE Z_PK = 1", "UPDATE ZBOOK SET Z_ENT = NULL WHERE Z_PK = 2",
            "UPDATE ZBOOK SET Z_ENT = 'x' WHERE Z_PK = 3", "UPDATE ZBOOK SET Z_ENT = -1 WHERE Z_PK = 4",
            "UPDATE ZBOOK SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book') WHERE Z_PK = 5",
            "UPDATE ZBOOK SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag') WHERE Z_PK = 6")
        let open = try Opened(url)
        let books = try open.fetch("Book")
        #expect(books.map(\.objectID.key).sorted() == Array(7...17))
        #expect(books.allSatisfy { ["Novel", "Atlas"].contains($0.entity.name) })
        #expect(try open.fetch("Tag").count == 4)
        #expect(
            open.store.problems.contains { $0.hasPrefix("6 rows of the table ZBOOK") && $0.contains("999") },
            "\(open.store.problems)")
        for shelf in try open.fetch("Shelf") {
            let members = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            #expect(members.allSatisfy { $0.objectID.key > 6 })
        }
        #expect(whole.count == 24)
    }

    @Test(
        "rows of a table with one entity are that entity's, counted as fetched, and a strange number is noted (HAZ-18)")
    func strangeNumberOfASoleEntity() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZTAG SET Z_ENT = 999 WHERE Z_PK = 1", "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2")
        let open = try Opened(url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        let tags = try open.fetch("Tag")
        #expect(try open.context.count(for: request) == 4)
        #expect(tags.map(\.objectID.key).sorted() == [1, 2, 3, 4])
        #expect(tags.allSatisfy { $0.entity.name == "Tag" && $0.value(forKey: "word") is String })
        #expect(open.store.problems.contains { $0.contains("entity number 999") && $0.contains("'Tag'") })
        request.fetchLimit = 2
        request.includesPropertyValues = false
        #expect(try open.context.fetch(request).count == 2)
        for shelf in try open.fetch("Book") where shelf.entity.relationshipsByName["tags"] != nil {
            let members = (shelf.value(forKey: "tags") as? NSSet)?.allObjects as? [NSManagedObject] ?? []
            #expect(members.allSatisfy { $0.value(forKey: "word") is String })
        }
        tags.first { $0.objectID.key == 1 }?.setValue("new", forKey: "word")
        try open.context.save()
        #expect(try open.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 4)
    }

    @Test("no query of a hierarchy counts, limits, groups or sections rows that a fetch passes over (HAZ-18)")
    func strangeNumbersAreNotCounted() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET Z_ENT = 999 WHERE Z_PK = 1", "UPDATE ZBOOK SET Z_ENT = NULL WHERE Z_PK = 2",
            "UPDATE ZBOOK SET Z_ENT = 'x' WHERE Z_PK = 3", "UPDATE ZBOOK SET Z_ENT = -1 WHERE Z_PK = 4",
            "UPDATE ZBOOK SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book') WHERE Z_PK = 5")
        let open = try Opened(url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        #expect(try open.context.count(for: request) == 12)
        #expect(open.store.problems.contains { $0.hasPrefix("5 rows of the table ZBOOK") }, "\(open.store.problems)")
        #expect(try open.fetch("Book").count == 12)
        request.predicate = NSPredicate(format: "self != nil")
        #expect(try open.context.count(for: request) == 12)
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(format: "count:(self)")
        total.expressionResultType = .integer64AttributeType
        let grouped = NSFetchRequest<NSDictionary>(entityName: "Book")
        grouped.resultType = .dictionaryResultType
        grouped.propertiesToFetch = [total]
        #expect(try open.context.fetch(grouped).map { $0["total"] as? Int } == [12])
        for valued in [true, false] {
            let limited = NSFetchRequest<NSManagedObject>(entityName: "Book")
            limited.includesPropertyValues = valued
            limited.fetchLimit = 4
            #expect(try open.context.fetch(limited).map(\.objectID.key) == [6, 7, 8, 9])
        }
        let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book"))
        deletion.resultType = .resultTypeCount
        let result = try open.context.execute(deletion) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 12)
    }

    @Test("rows whose number another process breaks later are left out from the next query on (HAZ-18)")
    func strangeNumbersThatComeLater() throws {
        let url = try SampleStore.make()
        let open = try Opened(url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        #expect(try open.context.count(for: request) == 17)
        try SampleStore.tamper(url, "UPDATE ZBOOK SET Z_ENT = 999 WHERE Z_PK = 1")
        #expect(try open.fetch("Book").count == 16)
        #expect(try open.context.count(for: request) == 16)
    }

    @Test("pairs that lead to no row are left out by ALL, ANY and IN, in SQL as in memory (HAZ-21)")
    func danglingPairs() throws {
        let stack = try HeroModel.stack()
        let heroes = ["Ann", "Bob"].map { stack.context.insert("Hero", ["name": $0]) }
        let team = stack.context.insert("Team", ["name": "T"])
        team.setValue(NSSet(array: heroes), forKey: "members")
        try stack.context.save()
        let key = heroes[1].objectID.uriRepresentation().lastPathComponent.dropFirst()
        try SampleStore.tamper(stack.url, "DELETE FROM ZHERO WHERE Z_PK = \(key)")
        let open = try stack.reopened()
        let same = try #require(try open.context.all("Team").first)
        let hero = try #require(try open.context.all("Hero").first)
        for predicate in [
            NSPredicate(format: "ALL members.name == 'Ann'"), NSPredicate(format: "ALL members == %@", hero),
            NSPredicate(format: "ALL members.mentor == nil"), NSPredicate(format: "ALL members.powers.name == 'x'"),
            NSPredicate(format: "ALL members.name == 'Zoe'"), NSPredicate(format: "ANY members.name == nil"),
            NSPredicate(format: "ANY members.name != 'Ann'"), NSPredicate(format: "ANY members.name != nil"),
            NSPredicate(format: "ANY members != %@", hero), NSPredicate(format: "ANY members == %@", hero),
            NSPredicate(format: "ANY members.name IN {'Zoe', nil}"), NSPredicate(format: "ANY members.mentor == nil"),
            NSPredicate(format: "ANY members.mentor.name == nil"), NSPredicate(format: "NONE members.name == nil"),
            NSPredicate(format: "nil IN members.name"), NSPredicate(format: "ANY members.powers.name == nil"),
            NSPredicate(format: "name IN members.name"), NSPredicate(format: "ANY members.name == members.@max.name"),
        ] {
            let found = try open.context.count(for: request("Team", predicate))
            #expect((found == 1) == predicate.evaluate(with: same), "\(predicate)")
        }
    }

    private func request(_ entity: String, _ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return request
    }

    @Test("a key that leads nowhere, or to a row of another entity, gives an object that counts as deleted (HAZ-20)")
    func danglingKeys() throws {
        let url = try SampleStore.make()
        // The sequel of a novel is a novel; key 17 is an atlas of the same table.
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET ZSHELF = 4711 WHERE Z_PK = 1", "UPDATE ZBOOK SET ZPREQUEL = 17 WHERE Z_PK = 2",
            "UPDATE ZBOOK SET ZPREQUEL = 9999 WHERE Z_PK = 3", "UPDATE ZBOOK SET ZSHELF = 'text' WHERE Z_PK = 4",
            "UPDATE ZBOOK SET ZSHELF = 1.5 WHERE Z_PK = 5", "UPDATE ZBOOK SET ZPREQUEL = -1 WHERE Z_PK = 6")
        for readsAtlasFirst in [false, true] {
            let open = try Opened(url)
            let atlases = readsAtlasFirst ? try open.fetch("Atlas") : []
            let novels = Dictionary(uniqueKeysWithValues: try open.fetch("Novel").map { ($0.objectID.key, $0) })
            #expect(novels.count == 12)
            let lost = try #require(novels[1]?.value(forKey: "shelf") as? NSManagedObject)
            #expect(lost.value(forKey: "name") == nil)
            #expect(open.reports.contains { ($0 as NSError).code == NSManagedObjectReferentialIntegrityError })
            let wrong = novels[2]?.value(forKey: "prequel") as? NSManagedObject
            #expect(wrong?.value(forKey: "title") == nil || wrong?.entity.name == "Atlas" && readsAtlasFirst)
            #expect((novels[3]?.value(forKey: "prequel") as? NSManagedObject)?.value(forKey: "title") == nil)
            #expect(novels[4]?.value(forKey: "shelf") == nil)
            #expect((novels[6]?.value(forKey: "prequel") as? NSManagedObject)?.value(forKey: "title") == nil)
            let after = try open.fetch("Atlas")
            #expect(after.count == 5)
            #expect(after.allSatisfy { $0.entity.name == "Atlas" && $0.value(forKey: "title") != nil })
            #expect(after.allSatisfy { ($0.value(forKey: "title") as? String)?.hasPrefix("Title 1") == true })
            #expect(atlases.isEmpty || atlases.count == 5)
        }
    }

    @Test("doubled and half missing pairs, and places that are equal, missing or negative, are stable (HAZ-21, HAZ-22)")
    func strangeLinks() throws {
        let url = try SampleStore.make()
        let connection = try Connection.open(url.path)
        let join = try #require(
            try connection.catalog().tables.first {
                $0.name.hasPrefix("Z_") && $0.columns.count == 2 && $0.name != "Z_MODELCACHE"
            })
        connection.close()
        let (one, two) = (join.columns[0].name, join.columns[1].name)
        try SampleStore.tamper(
            url, "CREATE TABLE copy AS SELECT * FROM \(join.name)", "DROP TABLE \(join.name)",
            "CREATE TABLE \(join.name) (\(one) INTEGER, \(two) INTEGER)",
            "INSERT INTO \(join.name) SELECT * FROM copy UNION ALL SELECT * FROM copy", "DROP TABLE copy",
            "INSERT INTO \(join.name) VALUES (NULL, 1), (1, NULL), (999, 1), (1, 999)",
            "UPDATE ZBOOK SET Z_FOK_SHELF = NULL WHERE Z_PK % 5 = 0",
            "UPDATE ZBOOK SET Z_FOK_SHELF = -7 WHERE Z_PK % 5 = 1",
            "UPDATE ZBOOK SET Z_FOK_SHELF = 'z' WHERE Z_PK % 5 = 2")
        let first = Survey(url)
        #expect(first.error == nil)
        #expect(first.contents == Survey(url).contents)
        let open = try Opened(url)
        for book in try open.fetch("Book") { #expect((book.value(forKey: "tags") as? NSSet)?.count == 2) }
        let shelf = try #require(try open.fetch("Shelf").first)
        let order = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        shelf.setValue(NSOrderedSet(array: order.reversed()), forKey: "books")
        try open.context.save()
        let keys = order.map(\.objectID.key)
        let again = try Opened(url)
        let shelfAgain = try #require(try again.fetch("Shelf").first { $0.objectID.key == shelf.objectID.key })
        let orderAgain = (shelfAgain.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        #expect(orderAgain.map(\.objectID.key) == keys.reversed())
    }

    @Test("a value of another kind is an error of its own; the object and its other values load (HAZ-24)")
    func valuesOfOtherKinds() throws {
        let cases: [(column: String, key: String, value: String)] = [
            ("ZTITLE", "title", "x'FF'"), ("ZTITLE", "title", "12"), ("ZPAGES", "pages", "'many'"),
            ("ZPAGES", "pages", "x'01'"), ("ZPAGES", "pages", "1.5"), ("ZPAGES", "pages", "9223372036854775807"),
            ("ZMAPS", "maps", "70000"), ("ZPRICE", "price", "'dear'"), ("ZPRICE", "price", "9e999"),
            ("ZADDED", "added", "'today'"), ("ZADDED", "added", "x'00'"), ("ZCODE", "code", "x'0011'"),
            ("ZCODE", "code", "'FEFE4176-912D-429F-9C83-662FFF641115'"), ("ZLINK", "link", "x'00'"),
            ("ZRATING", "rating", "'good'"), ("ZNOTES", "notes", "'text'"), ("ZNOTES", "notes", "x'0102'"),
            ("ZCOVER", "cover", "'text'"), ("ZCOVER", "cover", "x'09'"),
        ]
        for (column, key, value) in cases {
            let url = try SampleStore.make()
            // A column's affinity would turn some values into what it likes.
            try SampleStore.tamper(url, "UPDATE ZBOOK SET \(column) = \(value)")
            let connection = try Connection.open(url.path)
            let stored = try #require(try connection.value("SELECT \(column) FROM ZBOOK WHERE Z_PK = 17"))
            connection.close()
            let open = try Opened(url)
            let book = try #require(try open.fetch("Book").first { $0.objectID.key == 17 })
            let found = book.value(forKey: key)
            if case .text("12") = stored {
                #expect(found as? String == "12")
            } else {
                #expect(found == nil, "\(column) \(value) gave \(found ?? "")")
                let report = open.reports.first.map { "\($0)" } ?? ""
                #expect(open.reports.count == 1, "\(column) \(value)")
                #expect(report.contains(key) || key == "cover", "\(report)")
                #expect(!report.contains("dear") && !report.contains("many"), "values are not shown")
            }
            #expect(key == "code" || book.value(forKey: "code") is UUID)
        }
    }

    @Test("infinite and distant numbers and dates are kept (HAZ-24, HAZ-27)")
    func distantNumbers() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET ZRATING = 9e999, ZADDED = -9e999 WHERE Z_PK = 1",
            "UPDATE ZBOOK SET ZADDED = 1e300, ZRATING = 3 WHERE Z_PK = 2")
        let open = try Opened(url)
        let books = Dictionary(uniqueKeysWithValues: try open.fetch("Book").map { ($0.objectID.key, $0) })
        #expect((books[1]?.value(forKey: "rating") as? NSNumber)?.doubleValue == .infinity)
        #expect((books[1]?.value(forKey: "added") as? Date)?.timeIntervalSinceReferenceDate == -.infinity)
        #expect((books[2]?.value(forKey: "added") as? Date)?.timeIntervalSinceReferenceDate == 1e300)
        #expect((books[2]?.value(forKey: "rating") as? NSNumber)?.doubleValue == 3)
        #expect(open.reports.isEmpty)
    }

    @Test("invalid UTF-8 reads with U+FFFD, a NUL is kept, and a row not touched keeps its bytes (HAZ-25)")
    func invalidText() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET ZTITLE = CAST(x'41FFC342' AS TEXT) WHERE Z_PK = 1",
            "UPDATE ZBOOK SET ZTITLE = CAST(x'410042' AS TEXT) WHERE Z_PK = 2",
            "UPDATE ZBOOK SET ZTITLE = CAST(x'EDA080' AS TEXT) WHERE Z_PK = 3",
            "UPDATE ZBOOK SET ZTITLE = CAST(x'F4908080' AS TEXT) WHERE Z_PK = 4",
            "UPDATE ZBOOK SET ZTITLE = CAST(zeroblob(3000000) AS TEXT) WHERE Z_PK = 5")
        let open = try Opened(url)
        let books = Dictionary(uniqueKeysWithValues: try open.fetch("Book").map { ($0.objectID.key, $0) })
        #expect(books[1]?.value(forKey: "title") as? String == "A\u{FFFD}\u{FFFD}B")
        #expect(books[2]?.value(forKey: "title") as? String == "A\0B")
        #expect((books[3]?.value(forKey: "title") as? String)?.contains("\u{FFFD}") == true)
        #expect((books[4]?.value(forKey: "title") as? String)?.contains("\u{FFFD}") == true)
        #expect((books[5]?.value(forKey: "title") as? String)?.utf8.count == 3_000_000)
        books[1]?.setValue(5, forKey: "pages")
        try open.context.save()
        let connection = try Connection.open(url.path)
        #expect(try connection.value("SELECT hex(ZTITLE) FROM ZBOOK WHERE Z_PK = 1") == .text("41FFC342"))
    }

    @Test("a store in UTF-16 reads the same (HAZ-25)")
    func storeInUTF16ReadsSame() throws {
        let url = try SampleStore.make()
        let expected = Survey(url).contents
        let other = url.deletingLastPathComponent().appendingPathComponent("Books16.sqlite")
        let wide = try Connection.inMemory()
        try wide.executeScript("PRAGMA encoding = 'UTF-16le'; ATTACH '\(other.path)' AS wide;")
        let source = try Connection.open(url.path)
        let catalog = try source.catalog()
        for table in catalog.tables {
            try wide.execute(table.sql.replacingOccurrences(of: "CREATE TABLE ", with: "CREATE TABLE wide."))
            for row in try source.rows("SELECT * FROM \(table.name)") {
                let marks = row.map { _ in "?" }.joined(separator: ",")
                try wide.execute("INSERT INTO wide.\(table.name) VALUES (\(marks))", row)
            }
        }
        #expect(try wide.value("PRAGMA wide.encoding") == .text("UTF-16le"))
        wide.close()
        let survey = Survey(other, writes: true)
        #expect(survey.error == nil, "\(survey.error.map { "\($0)" } ?? "")")
        #expect(survey.contents == expected)
        #expect(Survey(other).contents?.count == 25)
    }

    @Test("versions at the end of the range or of another kind neither trap nor stop an update (HAZ-04)")
    func greatestVersion() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "UPDATE ZBOOK SET Z_OPT = 9223372036854775807 WHERE Z_PK = 1",
            "UPDATE ZBOOK SET Z_OPT = NULL WHERE Z_PK = 2",
            "UPDATE ZBOOK SET Z_OPT = -3 WHERE Z_PK = 3", "UPDATE ZBOOK SET Z_OPT = 'x' WHERE Z_PK = 4",
            "UPDATE ZBOOK SET Z_OPT = x'FF' WHERE Z_PK = 5", "UPDATE ZBOOK SET Z_OPT = 2.5 WHERE Z_PK = 6")
        let open = try Opened(url)
        for book in try open.fetch("Novel") where book.objectID.key < 7 { book.setValue("changed", forKey: "title") }
        try open.context.save()
        let connection = try Connection.open(url.path)
        #expect(try connection.value("SELECT count(*) FROM ZBOOK WHERE ZTITLE = 'changed'") == 6)
    }
}
