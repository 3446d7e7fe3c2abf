import CoreDataModeling
import Testing

@Suite struct UserInfoTests {
    @Test(
        "the user info of a new description is an empty dictionary that takes values (MOD-33)",
        arguments: [
            NSAttributeDescription.self, NSRelationshipDescription.self, NSFetchedPropertyDescription.self,
            NSDerivedAttributeDescription.self, NSCompositeAttributeDescription.self,
        ])
    func userInfoIsEmptyAtFirst(kind: NSPropertyDescription.Type) {
        let property = kind.init()
        #expect(property.userInfo?.isEmpty == true)
        property.userInfo?["k"] = "v"
        #expect(property.userInfo as? [String: String] == ["k": "v"])
        #expect(property != kind.init())
    }

    @Test("the user info of a new entity, and of one that was read without any, is empty (MOD-33)")
    func entityAndReadDescriptions() throws {
        let entity = NSEntityDescription()
        entity.userInfo?["k"] = 1
        #expect(entity.userInfo?["k"] as? Int == 1)
        let model = try SourceText.read(#"<entity name="E"><attribute name="a" attributeType="String"/></entity>"#)
        for read in [model, try NSManagedObjectModel(compiled: model.compiledData())] {
            #expect(read.entitiesByName["E"]?.userInfo?.isEmpty == true)
            #expect(read.entitiesByName["E"]?.attributesByName["a"]?.userInfo?.isEmpty == true)
        }
    }

    @Test("no user info and an empty one are the same to a comparison, and neither is written (MOD-33)")
    func noneIsAsEmpty() {
        let (none, empty) = (NSAttributeDescription(), NSAttributeDescription())
        none.userInfo = nil
        #expect(none.userInfo == nil && none == empty)
        let model = EditableModel()
        model.name.userInfo = [:]
        let source = ModelDocument.describing(model.model).document.data
        #expect(!String(decoding: source, as: UTF8.self).contains("userInfo"))
    }

    // Apple's page says that this raises; suites that pass on Apple's systems do it (see `UserInfo`).
    @Test("the user info of a model in use may be changed, by several threads at once (MOD-33)")
    func userInfoOfAModelInUse() async {
        let editable = EditableModel()
        editable.model.freeze()
        let (person, name) = (editable.person, editable.name)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        person.userInfo = ["n": number]
                        name.userInfo = ["n": number]
                        #expect(person.userInfo?["n"] is Int && name.userInfo?.count == 1)
                    }
                }
            }
        }
    }
}
