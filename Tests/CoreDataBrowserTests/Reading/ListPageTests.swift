import CoreData
import CoreDataBrowser
import CoreDataTestSupport
import Testing

@Suite("Lists in the browser")
struct ListPageTests {
    @Test(
        "BRW-03, BRW-06, BRW-16, BRW-17: a window has the rows in the order asked for, with links and counts",
        arguments: [StoreKind.sqlite, .xml])
    func window(_ kind: StoreKind) async throws {
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

    @Test("BRW-28: an object's page has its values, links and fetched properties")
    func object() async throws {
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
