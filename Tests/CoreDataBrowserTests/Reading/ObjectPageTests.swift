import CoreData
import CoreDataBrowser
import SQLiteKit
import StoreContract
import Testing

@Suite("Objects in the browser")
struct ObjectPageTests {
    @Test(
        "related objects are shown in windows, and before they are followed (BRW-28, BRW-29)", arguments: StoreKind.all)
    func relatedObjectsAreShownInWindows(_ kind: StoreKind) async throws {
        let stack = try Stack(CompanyModel.make(), kind: kind)
        let department = stack.context.insert("Department", ["name": "Sales"])
        let project = stack.context.insert("Project", ["name": "Bridge"])
        let staff = (0..<30).map { number in
            stack.context.insert("Employee", ["name": "E\(number + 10)", "department": department])
        }
        project.setValue(NSOrderedSet(array: staff.reversed()), forKey: "reviewers")
        for employee in staff[..<25] { employee.setValue(NSSet(object: project), forKey: "projects") }
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let list = try await answers.json("/stores/1/entities/Department")
        let id = try #require(list["rows"][0]["id"].text)
        let object = try await answers.json("/stores/1/objects/\(id)")
        let employees = object["relationships"].named("employees")
        #expect(employees["count"].number == 30 && employees["members"].list.count == 20)
        let window = try await answers.json("/stores/1/objects/\(id)/related/employees?sort=-name&offset=28&limit=5")
        #expect(window["total"].number == 30 && window["rows"].list.map { $0["label"].text } == ["E11", "E10"])
        let projects = try await answers.json("/stores/1/entities/Project")
        let bridge = try #require(projects["rows"][0]["id"].text)
        #expect(projects["rows"][0]["counts"]["members"].number == 25)
        let ordered = try await answers.json("/stores/1/objects/\(bridge)/related/reviewers?limit=2&offset=1")
        #expect(ordered["rows"].list.map { $0["label"].text } == ["E38", "E37"])
        let members = try await answers.json("/stores/1/objects/\(bridge)/related/members?limit=1")
        #expect(members["total"].number == 25)
        let employee = try #require(ordered["rows"][0]["id"].text)
        let preview = try await answers.json("/stores/1/objects/\(employee)/preview")
        #expect(preview["label"].text == "E38" && preview["lines"].named("department")["text"].text == "Sales")
        let wrong = try await answers.json("/stores/1/objects/\(bridge)/related/name", status: 422)
        #expect(wrong["error"]["code"].text == "unknownKey")
    }

    @Test("values are shown by their types (APP-21)")
    func valuesAreShownByTheirTypes() async throws {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "flag": .booleanAttributeType, "date": .dateAttributeType, "price": .decimalAttributeType,
                "id": .UUIDAttributeType, "link": .URIAttributeType, "number": .doubleAttributeType,
            ])
        let stack = try Stack(builder.model)
        let id = UUID()
        stack.context.insert(
            "Thing",
            [
                "flag": true, "date": Date(timeIntervalSinceReferenceDate: 0),
                "price": NSDecimalNumber(string: "12.50"),
                "id": id, "link": URL(string: "https://example.org/a"), "number": 1.5,
            ])
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let shown = try await answers.json("/stores/1/objects/Thing/p1")["attributes"]
        #expect(shown.named("flag")["value"].flag == true && shown.named("flag")["text"].text == "YES")
        #expect(shown.named("date")["value"].text == "2001-01-01T00:00:00.000Z")
        #expect(shown.named("price")["value"].text == "12.5" && shown.named("number")["value"].real == 1.5)
        #expect(shown.named("id")["text"].text == id.uuidString && shown.named("id")["type"].text == "uuid")
        #expect(shown.named("link")["text"].text == "https://example.org/a")
        let preview = try await answers.json("/stores/1/objects/Thing/p1/preview")
        #expect(preview["label"].text == "Thing p1" && preview["lines"].named("flag")["text"].text == "YES")
    }

    @Test("a value of another type than its attribute's is reported beside the others (HAZ-24)")
    func wrongType() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let connection = try Connection.open(stack.url.path)
        try connection.execute("UPDATE ZHERO SET ZBIRTHDATE = 'soon' WHERE ZNAME = 'Alpha'")
        connection.close()
        let answers = BrowserAnswers(try stack.another())
        let row = try await answers.json("/stores/1/entities/Hero?where=name%3D%3D%22Alpha%22")["rows"][0]
        #expect(row["values"]["birthDate"].isNull && row["values"]["sex"].text == "Female")
        let reason = try #require(row["unreadable"]["birthDate"].text)
        #expect(!reason.contains("soon"))
        let id = try #require(row["id"].text)
        let object = try await answers.json("/stores/1/objects/\(id)")
        #expect(object["attributes"].named("birthDate")["unreadable"].text?.isEmpty == false)
        #expect(object["attributes"].named("name")["value"].text == "Alpha")
    }

    @Test(
        "transformables are decoded into trees; other archives than those of allowed classes are only reported (BRW-41)"
    )
    func transformablesAreDecodedIntoTrees() async throws {
        let builder = ModelBuilder()
        builder.entity("Box", ["name": .stringAttributeType, "content": .transformableAttributeType])
        let stack = try Stack(builder.model)
        let content: NSDictionary = ["sizes": [1, 2] as NSArray, "title": "big"]
        stack.context.insert("Box", ["name": "whole", "content": content])
        stack.context.insert("Box", ["name": "broken", "content": ["a"] as NSArray])
        try stack.context.save()
        let connection = try Connection.open(stack.url.path)
        try connection.execute("UPDATE ZBOX SET ZCONTENT = CAST('bplist00 no archive' AS BLOB) WHERE ZNAME = 'broken'")
        connection.close()
        let answers = BrowserAnswers(try stack.another())
        let rows = try await answers.json("/stores/1/entities/Box?sort=-name")["rows"]
        #expect(rows[0]["values"]["content"]["sizes"].list.map(\.number) == [1, 2])
        #expect(rows[0]["values"]["content"]["title"].text == "big")
        #expect(rows[1]["values"]["content"].isNull && rows[1]["unreadable"]["content"].text != nil)
        let id = try #require(rows[1]["id"].text)
        let bytes = try await answers.json("/stores/1/objects/\(id)/values/content", status: 422)
        #expect(bytes["error"]["code"].text == "unreadable")
    }

    @Test("the same address gives a person the page and a program JSON (BRW-14)")
    func sameAddress() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        for target in ["/", "/stores/1", "/stores/1/model", "/stores/1/entities/Hero", "/stores/1/objects/Hero/p1"] {
            let page = await answers.response(target, ["Accept": "text/html,*/*;q=0.8"])
            #expect(page.headers["Content-Type"] == "text/html; charset=utf-8", "\(target)")
            let json = await answers.response(target, ["Accept": "application/json"])
            #expect(json.headers["Content-Type"] == "application/json; charset=utf-8", "\(target)")
        }
        let suffixed = await answers.response("/stores/1/objects/Hero/p1.json", ["Accept": "text/html"])
        #expect(suffixed.headers["Content-Type"] == "application/json; charset=utf-8")
    }

    @Test("an entity of hundreds of attributes has a list of bounded width, whose columns can be chosen (BRW-16)")
    func entityOfHundredsOfAttributesHasListOfBoundedWidth() async throws {
        let entity = NSEntityDescription()
        entity.name = "Wide"
        entity.properties = (0..<300).map { number in
            let attribute = NSAttributeDescription()
            attribute.name = "a\(number)"
            attribute.attributeType = .integer32AttributeType
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try Stack(model)
        stack.context.insert("Wide", ["a299": 7])
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let list = try await answers.json("/stores/1/entities/Wide")
        #expect(list["columns"].list.count == 60 && list["notes"][0].text == "240 more columns are left out")
        let chosen = try await answers.json("/stores/1/entities/Wide?keys=a299,a0")
        #expect(chosen["columns"].list.map { $0["key"].text } == ["a299", "a0"])
        #expect(chosen["rows"][0]["values"]["a299"].number == 7)
    }

    @Test(
        "the history has transactions with their changes, the newest of them (BRW-38)",
        arguments: StoreKind.keepingHistory)
    func historyHasTransactionsWithTheirChanges(_ kind: StoreKind) async throws {
        let stack = try Stack(SuperDB.model(), kind: kind, options: [NSPersistentHistoryTrackingKey: true])
        stack.context.transactionAuthor = "eva"
        for name in ["A", "B", "C"] {
            stack.context.insert("Hero", ["name": name])
            try stack.context.save()
        }
        let answers = BrowserAnswers(stack)
        let newest = try await answers.json("/stores/1/history?limit=2")["transactions"]
        #expect(newest.list.count == 2 && newest[1]["author"].text == "eva")
        #expect(newest[1]["changes"][0]["type"].text == "insert" && newest[1]["changes"][0]["entity"].text == "Hero")
        let before = try #require(newest[0]["id"].number)
        let older = try await answers.json("/stores/1/history?before=\(before)")["transactions"]
        #expect(older.list.count == 1)
        let wrong = try await answers.json("/stores/1/history?before=yesterday", status: 400)
        #expect(wrong["error"]["code"].text == "badRequest")
    }

    @Test("what cannot be answered says why, with the status that programs look at (BRW-09)")
    func whatCannotBeAnsweredSaysWhy() async throws {
        let answers = BrowserAnswers(try Stack(SuperDB.model()))
        for (target, status) in [
            ("/stores/2", 404), ("/stores/1/entities/Herro", 404), ("/stores/1/entities/Hero?sort=nome", 422),
            ("/stores/1/entities/Hero?where=name%20%3D%3D", 422), ("/stores/1/entities/Hero?limit=0", 400),
            ("/stores/1/entities/Hero?limit=2000", 400), ("/stores/1/entities/Hero?keys=a.b", 422),
            ("/stores/1/entities/Hero?around=Hero/x", 404), ("/stores/1/entities/Hero/sections", 400),
            ("/stores/1/objects/Hero/7", 404), ("/stores/1/objects/Nobody/p1", 404),
        ] {
            let answer = try await answers.json(target, status: status)
            #expect(answer["error"]["reason"].text?.isEmpty == false, "\(target)")
        }
    }
}
