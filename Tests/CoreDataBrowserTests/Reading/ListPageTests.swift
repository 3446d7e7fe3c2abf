import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Lists in the browser")
struct ListPageTests {
    @Test(
        "a window has the rows in the order asked for, with links and counts (BRW-03, BRW-06, BRW-16, BRW-17)",
        arguments: [StoreKind.sqlite, .xml])
    func windowHasRowsInOrderAsked(_ kind: StoreKind) async throws {
        let stack = try Stack(SuperDB.model(), kind: kind)
        SuperDB.fill(stack.context)
        let alpha = try #require(stack.context.insertedObjects.first { $0.value(forKey: "name") as? String == "Alpha" })
        for name in ["flight", "fire"] { stack.context.insert("Power", ["name": name, "hero": alpha]) }
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let list = try await answers.json("/stores/1/entities/Hero?sort=sex,-name&limit=2&offset=1")
        #expect(list["rows"].list.map { $0["label"].text } == ["Cinder", "Alpha"])
        #expect(list["offset"].number == 1 && list["total"].isNull)
        let row = list["rows"][1]
        #expect(row["counts"]["powers"].number == 2 && list["rows"][0]["counts"]["powers"].number == 0)
        #expect(row["values"]["birthDate"].text?.hasPrefix("1980") == true)
        #expect(list["columns"].named("powers", by: "key")["toMany"].flag == true)
        let powers = try await answers.json("/stores/1/entities/Power?keys=hero,hero.name,hero.powers.@count&sort=name")
        #expect(powers["rows"][0]["links"]["hero"]["label"].text == "Alpha")
        #expect(powers["rows"][0]["values"]["hero.name"].text == "Alpha")
        #expect(powers["rows"][0]["values"]["hero.powers.@count"].number == 2)
        #expect(powers["total"].number == 2)
    }

    @Test("sections by a Boolean are named YES and NO, with their value (BRW-07)", arguments: [StoreKind.sqlite, .xml])
    func booleanSections(_ kind: StoreKind) async throws {
        let model = try SuperDB.model(#"<attribute name="retired" optional="YES" attributeType="Boolean"/>"#)
        let stack = try Stack(model, kind: kind)
        for (name, flag) in [("A", true), ("B", false), ("C", nil), ("D", false)] as [(String, Bool?)] {
            stack.context.insert("Hero", ["name": name, "retired": flag])
        }
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let page = try await answers.json("/stores/1/entities/Hero/sections?section=retired&sort=retired,name")
        #expect(page["sections"].list.map { $0["name"].text } == ["", "NO", "YES"])
        #expect(page["sections"].list.map { $0["count"].number } == [1, 2, 1])
        #expect(page["sections"].list.map { $0["value"].flag } == [nil, false, true])
        #expect(page["sections"][2]["indexTitle"].text == "Y")
    }

    @Test("an attribute that is not stored is for reading only, as one that is derived (BRW-18)")
    func transientAttribute() async throws {
        let stack = try Stack(
            SuperDB.model(#"<attribute name="rank" optional="YES" transient="YES" attributeType="Integer 16"/>"#))
        let answers = BrowserAnswers(stack)
        let store = try await answers.json("/stores/1/model")
        let hero = store["entities"].named("Hero")
        #expect(hero["attributes"].named("rank")["readOnly"].flag == true)
        #expect(hero["attributes"].named("name")["readOnly"].flag == false)
    }

    @Test("an object's page has its values, links and fetched properties (BRW-28)")
    func objectsPageHasItsValues() async throws {
        let stack = try Stack(SuperDB.model())
        SuperDB.fill(stack.context)
        try stack.context.save()
        let answers = BrowserAnswers(stack)
        let list = try await answers.json("/stores/1/entities/Hero?sort=name")
        let id = try #require(list["rows"][0]["id"].text)
        let object = try await answers.json("/stores/1/objects/\(id)")
        #expect(object["label"].text == "Alpha" && object["id"].text == id)
        #expect(object["attributes"].named("sex")["value"].text == "Female")
        #expect(object["fetched"].named("oppositeSexHeroes")["count"].number == 3)
        #expect(object["relationships"].named("powers")["count"].number == 0)
        let missing = try await answers.json("/stores/1/objects/Hero/p999", status: 404)
        #expect(missing["error"]["code"].text == "noObject")
    }
}
