import CoreDataSQL
import Testing

struct RelationshipTests {
    @Test func toOneHasAKeyAndAnIndex() {
        let sketch = ModelSketch()
        sketch.entity("Car")
        sketch.entity("Person")
        sketch.relationships("Car.owner", "Person.cars*")
        let schema = sketch.schema
        #expect(
            schema.sql("ZCAR")
                == "CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER )")
        #expect(
            schema.sql("ZPERSON") == "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )")
        #expect(schema.indexes.map(\.sql) == ["CREATE INDEX ZCAR_ZOWNER_INDEX ON ZCAR (ZOWNER)"])
        #expect(
            schema.entity(named: "Car")?.toOnes == [
                ToOneMapping(name: "owner", destination: 2, column: "ZOWNER", inverse: "cars")
            ])
        #expect(schema.foreignKey("Person", "cars") == .init(table: "ZCAR", column: "ZOWNER"))
    }

    @Test func oneToOneHasAKeyOnEitherSide() {
        let sketch = ModelSketch()
        sketch.entity("A")
        sketch.entity("B")
        sketch.relationships("A.b", "B.a")
        let schema = sketch.schema
        #expect(schema.entity(named: "A")?.toOne("b")?.column == "ZB")
        #expect(schema.entity(named: "B")?.toOne("a")?.column == "ZA")
    }

    @Test func keyToAnInheritedEntityRecordsItsNumber() {
        let sketch = ModelSketch()
        sketch.entity("Page")
        sketch.entity("Book")
        sketch.entity("GraphicNovel", in: "Book")
        sketch.relationships("Page.book", "Book.pages*!")
        sketch.relationship("Page.novel", to: "GraphicNovel")
        let schema = sketch.schema
        #expect(
            schema.sql("ZPAGE")
                == "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER, "
                + "Z1_BOOK INTEGER, ZNOVEL INTEGER, Z_FOK_BOOK INTEGER )")
        let key = ToManyMapping.ForeignKey(
            table: "ZPAGE", column: "ZBOOK", entityColumn: "Z1_BOOK", orderColumn: "Z_FOK_BOOK")
        #expect(schema.foreignKey("Book", "pages") == key)
        #expect(schema.foreignKey("GraphicNovel", "pages") == key)
        #expect(schema.entity(named: "Page")?.toOne("book")?.orderColumn == "Z_FOK_BOOK")
        #expect(schema.entity(named: "Page")?.toOne("novel")?.entityColumn == nil)
    }

    @Test func toManyWithoutInverseKeepsItsKeyInTheChild() {
        let sketch = ModelSketch()
        sketch.entity("Call")
        sketch.entity("Event", ["time": .dateAttributeType])
        sketch.entity("SpecialEvent", in: "Event")
        sketch.relationship("Call.events*!", to: "Event")
        sketch.relationship("Call.others*", to: "Event")
        let schema = sketch.schema
        #expect(
            schema.sql("ZEVENT")
                == "CREATE TABLE ZEVENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1EVENTS INTEGER, "
                + "Z_FOK_1EVENTS INTEGER, Z1OTHERS INTEGER, ZTIME TIMESTAMP )")
        #expect(
            schema.foreignKey("Call", "events")
                == .init(table: "ZEVENT", column: "Z1EVENTS", orderColumn: "Z_FOK_1EVENTS"))
        let keys = [
            ForeignKeyMapping(owner: 1, relationship: "events", column: "Z1EVENTS", orderColumn: "Z_FOK_1EVENTS"),
            ForeignKeyMapping(owner: 1, relationship: "others", column: "Z1OTHERS"),
        ]
        #expect(schema.entity(named: "Event")?.foreignKeys == keys)
        #expect(schema.entity(named: "SpecialEvent")?.foreignKeys == keys)
        #expect(
            schema.indexes.map(\.name) == ["ZEVENT_Z1EVENTS_INDEX", "ZEVENT_Z1OTHERS_INDEX", "ZEVENT_Z_ENT_INDEX"])
    }

    @Test func manyToManyHasATableOfTheLowerNumber() {
        let sketch = ModelSketch()
        sketch.entity("Author")
        sketch.entity("Book")
        sketch.relationships("Book.authors*", "Author.books*")
        let schema = sketch.schema
        #expect(schema.tables.map(\.name) == ["ZAUTHOR", "Z_1BOOKS", "ZBOOK"])
        #expect(
            schema.sql("Z_1BOOKS")
                == "CREATE TABLE Z_1BOOKS ( Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER, PRIMARY KEY (Z_1AUTHORS, Z_2BOOKS) )")
        #expect(
            schema.indexes.map(\.sql) == ["CREATE INDEX Z_1BOOKS_Z_2BOOKS_INDEX ON Z_1BOOKS (Z_2BOOKS, Z_1AUTHORS)"])
        let join = ToManyMapping.Join(
            table: "Z_1BOOKS", ownColumn: "Z_1AUTHORS", otherColumn: "Z_2BOOKS", isReflexive: false)
        #expect(schema.join("Author", "books") == join)
        #expect(
            schema.join("Book", "authors")
                == .init(table: "Z_1BOOKS", ownColumn: "Z_2BOOKS", otherColumn: "Z_1AUTHORS", isReflexive: false))
    }

    @Test func orderedManyToManyKeepsAPlaceForEachOrderedEnd() {
        let sketch = ModelSketch()
        sketch.entity("A")
        sketch.entity("B")
        sketch.relationships("A.bs*!", "B.as*!")
        sketch.relationships("A.ones*", "B.twos*!")
        let schema = sketch.schema
        #expect(
            schema.sql("Z_1BS")
                == "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_2BS INTEGER, Z_FOK_1AS INTEGER, "
                + "PRIMARY KEY (Z_1AS, Z_2BS) )")
        #expect(schema.join("A", "bs")?.orderColumn == "Z_FOK_2BS")
        #expect(schema.join("A", "bs")?.inverseOrderColumn == "Z_FOK_1AS")
        #expect(schema.join("B", "as")?.orderColumn == "Z_FOK_1AS")
        #expect(schema.join("A", "ones")?.orderColumn == nil)
        #expect(schema.join("B", "twos")?.orderColumn == "Z_FOK_1TWOS")
    }

    @Test func manyToManyWithinOneEntity() {
        let sketch = ModelSketch()
        sketch.entity("User")
        sketch.relationships("User.following*", "User.followingBy*")
        sketch.relationships("User.favorites*!", "User.favoriteFolders*")
        let schema = sketch.schema
        #expect(
            schema.sql("Z_1FOLLOWING")
                == "CREATE TABLE Z_1FOLLOWING ( Z_1FOLLOWINGBY INTEGER, Z_1FOLLOWING INTEGER, "
                + "PRIMARY KEY (Z_1FOLLOWINGBY, Z_1FOLLOWING) )")
        #expect(
            schema.sql("Z_1FAVORITES")
                == "CREATE TABLE Z_1FAVORITES ( Z_1FAVORITEFOLDERS INTEGER, Z_1FAVORITES INTEGER, "
                + "Z_FOK_1FAVORITES INTEGER, PRIMARY KEY (Z_1FAVORITEFOLDERS, Z_1FAVORITES) )")
        #expect(schema.join("User", "following")?.ownColumn == "Z_1FOLLOWINGBY")
        #expect(schema.join("User", "followingBy")?.ownColumn == "Z_1FOLLOWING")
    }

    @Test func relationshipThatIsItsOwnInverse() {
        let sketch = ModelSketch()
        sketch.entity("Person")
        let friends = sketch.relationship("Person.friends*", to: "Person")
        friends.inverseRelationship = friends
        let spouse = sketch.relationship("Person.spouse", to: "Person")
        spouse.inverseRelationship = spouse
        let schema = sketch.schema
        #expect(
            schema.sql("Z_1FRIENDS")
                == "CREATE TABLE Z_1FRIENDS ( REFLEXIVE INTEGER, Z_1FRIENDS INTEGER, "
                + "PRIMARY KEY (REFLEXIVE, Z_1FRIENDS) )")
        #expect(
            schema.join("Person", "friends")
                == .init(table: "Z_1FRIENDS", ownColumn: "REFLEXIVE", otherColumn: "Z_1FRIENDS", isReflexive: true))
        #expect(schema.entity(named: "Person")?.toOne("spouse")?.column == "ZSPOUSE")
        #expect(schema.joinTables.count == 1)
    }

    @Test func joinColumnsOfOneEntityDoNotClash() throws {
        let sketch = ModelSketch()
        sketch.entity("Channel")
        sketch.entity("Group")
        sketch.entity("User")
        sketch.relationships("Channel.users*", "User.channels*")
        sketch.relationships("Group.users*!", "User.groups*")
        let schema = sketch.schema
        #expect(schema.join("Channel", "users")?.otherColumn == "Z_3USERS")
        #expect(schema.join("Group", "users")?.otherColumn == "Z_3USERS1")
        #expect(schema.join("Group", "users")?.orderColumn == "Z_FOK_3USERS1")
        #expect(schema.sql("Z_2USERS")?.contains("PRIMARY KEY (Z_2GROUPS, Z_3USERS1)") == true)
    }

    @Test func subentityNumbersItsOwnJoins() {
        let sketch = ModelSketch()
        sketch.entity("Base")
        sketch.entity("Leaf", in: "Base")
        sketch.entity("Tag")
        sketch.relationships("Tag.leaves*", "Leaf.tags*")
        let schema = sketch.schema
        #expect(
            schema.join("Leaf", "tags")
                == .init(
                    table: "Z_2TAGS", ownColumn: "Z_2LEAVES", otherColumn: "Z_3TAGS", isReflexive: false))
        #expect(schema.join("Base", "tags") == nil)
        #expect(schema.tables.map(\.name) == ["ZBASE", "Z_2TAGS", "ZTAG"])
    }

    @Test("relationships that lead nowhere are left out, half inverse ones stand alone (HAZ-46)")
    func brokenRelationshipsAreLeftOut() {
        let sketch = ModelSketch()
        sketch.entity("A")
        sketch.entity("B")
        sketch.relationship("A.nowhere", to: "B").destinationEntity = nil
        let stranger = NSEntityDescription()
        stranger.name = "Stranger"
        sketch.relationship("A.stranger", to: "B").destinationEntity = stranger
        sketch.relationships("A.bs*", "B.as*")
        let odd = sketch.relationship("B.odd*", to: "A")
        odd.linkedInverse = sketch["A"].relationshipsByName["bs"]
        let schema = sketch.schema
        #expect(schema.entity(named: "A")?.toOnes == [])
        #expect(schema.entity(named: "A")?.toManys.map(\.name) == ["bs"])
        // One that is the inverse of none has a table of its own, and leaves the pair's alone.
        #expect(schema.entity(named: "B")?.toManys.map(\.name) == ["as", "odd"])
        #expect(schema.join("A", "bs")?.table == "Z_1BS" && schema.join("B", "as")?.table == "Z_1BS")
        #expect(schema.join("B", "odd")?.table == "Z_2ODD")
    }
}
