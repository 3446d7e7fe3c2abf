import CoreData
import CoreDataBrowser
import StoreContract
import Testing

@Suite("Counts and models in the browser")
struct ModelPageTests {
    @Test("entities are counted by themselves and with those below them (BRW-05)", arguments: [StoreKind.sqlite, .xml])
    func entitiesAreCountedByThemselvesAndWithThoseBelowThem(_ kind: StoreKind) async throws {
        let stack = try Stack(CompanyModel.make(), kind: kind)
        try CompanyModel.fill(stack.context, employees: 30, seed: 1)
        let answers = BrowserAnswers(stack)
        let counts = try await answers.json("/stores/1/counts")["counts"]
        let managers = counts["Manager"]["all"].number
        let employees = (counts["Employee"]["own"].number, counts["Employee"]["all"].number)
        #expect(managers == 5)
        #expect(employees == (25, 30))
        let late = try await answers.json("/stores/1/counts?milliseconds=0")
        #expect(late["complete"].flag == false && late["counts"]["Employee"]["all"].isNull)
    }

    @Test("the model says what forms and filters need (BRW-35, BRW-12)")
    func modelSaysWhatFormsAndFiltersNeed() async throws {
        let stack = try Stack(SuperDB.model())
        let model = try await BrowserAnswers(stack).json("/stores/1/model")
        let hero = model["entities"].named("Hero")
        let name = hero["attributes"].named("name")
        #expect(hero["labelKey"].text == "name")
        #expect(name["type"].text == "string" && name["minLength"].number == 1 && name["optional"].flag == false)
        #expect(name["default"].text == "Untitled Hero" && name["max"].isNull)
        let powers = hero["relationships"].named("powers")
        #expect(powers["toMany"].flag == true && powers["deleteRule"].text == "cascade")
        #expect(powers["inverse"].text == "hero" && powers["destination"].text == "Power")
        #expect(hero["fetched"].list.count == 4)
        let template = model["templates"][0]
        #expect(template["name"].text == "HeroesOfSex" && template["variables"][0]["name"].text == "SEX")
        #expect(template["variables"][0]["type"].text == "string")
    }
}
