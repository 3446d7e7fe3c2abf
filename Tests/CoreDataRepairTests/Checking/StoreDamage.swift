import CoreDataRepair

/// A fault put into the rows of `CheckScene`, and what a check is to say of it.
struct StoreDamage: Sendable, CustomStringConvertible {
    let hazard: String
    let statements: [String]
    let kind: StoreFinding.Kind
    /// The objects that are named, in the order of their addresses; empty where none is.
    var objects: [String] = []
    var property: String?
    var isRepairable = true
    /// Kinds that come with it.
    var also: Set<StoreFinding.Kind> = []

    var description: String { "\(hazard) \(kind.rawValue): \(statements[0])" }

    static let all: [StoreDamage] = [
        .init(hazard: "HAZ-14", statements: ["UPDATE Z_METADATA SET Z_UUID = 'none'"], kind: .missingIdentity),
        .init(
            hazard: "HAZ-16", statements: ["ALTER TABLE ZPERSON DROP COLUMN ZWAGE"], kind: .schemaMismatch),
        .init(hazard: "HAZ-16", statements: ["DROP TABLE Z_3FRIENDS"], kind: .schemaMismatch),
        .init(
            hazard: "HAZ-17", statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'"],
            kind: .keyCounter),
        .init(
            hazard: "HAZ-17", statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = -4 WHERE Z_NAME = 'Team'"],
            kind: .keyCounter),
        .init(
            hazard: "HAZ-17", statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Team'"],
            kind: .keyCounter),
        .init(
            hazard: "HAZ-17", statements: ["DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'"], kind: .keyCounter,
            also: [.schemaMismatch]),
        .init(
            hazard: "HAZ-18", statements: ["UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 2"], kind: .unknownEntity,
            objects: ["?/p2"], isRepairable: false,
            also: [.wrongReference, .danglingLink]),
        .init(
            hazard: "HAZ-18", statements: ["UPDATE ZTEAM SET Z_ENT = 77 WHERE Z_PK = 2"], kind: .unknownEntity,
            objects: ["?/p2"]),
        .init(
            hazard: "HAZ-19", statements: ["INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT) VALUES (0, 5, 1), (-3, 5, 1)"],
            kind: .badKey, objects: ["Team/p-3", "Team/p0"], isRepairable: false),
        .init(
            hazard: "HAZ-20", statements: ["UPDATE ZPERSON SET ZTEAM = 99 WHERE Z_PK IN (1, 2)"],
            kind: .danglingReference, objects: ["Person/p1", "Person/p2"], property: "team", also: [.orderKey]),
        .init(
            hazard: "HAZ-20", statements: ["UPDATE ZPERSON SET Z5GUESTS = 99 WHERE Z_PK = 1"],
            kind: .danglingReference, objects: ["Person/p1"], property: "Team.guests"),
        .init(
            hazard: "HAZ-20", statements: ["UPDATE ZTEAM SET ZBOSS = 1 WHERE Z_PK = 2"], kind: .wrongReference,
            objects: ["Team/p2"], property: "boss"),
        .init(
            hazard: "HAZ-20", statements: ["UPDATE ZPASSPORT SET Z3_OWNER = 4 WHERE Z_PK = 2"], kind: .wrongReference,
            objects: ["Passport/p2"], property: "owner"),
        .init(
            hazard: "HAZ-21", statements: ["UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 2"], kind: .oneSided,
            objects: ["Passport/p2"], property: "owner"),
        .init(
            hazard: "HAZ-21", statements: ["UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 2"], kind: .oneSided,
            objects: ["Passport/p2", "Person/p2"]),
        .init(
            hazard: "HAZ-21", statements: ["INSERT INTO Z_1PEOPLE VALUES (1, 99), (99, 1)"], kind: .danglingLink,
            objects: ["Group/p1", "Person/p1"]),
        .init(
            hazard: "HAZ-21",
            statements: [
                "ALTER TABLE Z_1PEOPLE RENAME TO old", "CREATE TABLE Z_1PEOPLE (Z_1GROUPS INTEGER, Z_3PEOPLE INTEGER)",
                "INSERT INTO Z_1PEOPLE SELECT * FROM old UNION ALL SELECT * FROM old WHERE Z_1GROUPS = 2",
                "DROP TABLE old",
            ], kind: .doubledLink, objects: ["Group/p2"]),
        .init(
            hazard: "HAZ-22", statements: ["UPDATE ZPERSON SET Z_FOK_TEAM = 2048 WHERE ZTEAM = 1"], kind: .orderKey,
            objects: ["Employee/p4", "Person/p3"], property: "Team.members"),
        .init(
            hazard: "HAZ-22", statements: ["UPDATE ZPERSON SET Z_FOK_TEAM = NULL WHERE Z_PK = 3"], kind: .orderKey,
            objects: ["Person/p3"]),
        .init(
            hazard: "HAZ-22", statements: ["UPDATE ZPERSON SET Z_FOK_TEAM = -5 WHERE Z_PK = 3"], kind: .orderKey,
            objects: ["Person/p3"]),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZSALARY = 'many' WHERE Z_PK = 4"], kind: .wrongType,
            objects: ["Employee/p4"], property: "salary"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZBORN = x'0102' WHERE Z_PK = 1"], kind: .wrongType,
            objects: ["Person/p1"], property: "born"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZWAGE = 'much' WHERE Z_PK = 1"], kind: .wrongType,
            objects: ["Person/p1"], property: "wage"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZUID = x'0102' WHERE Z_PK = 1"], kind: .wrongType,
            objects: ["Person/p1"], property: "uid"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZPHOTO = x'0702' WHERE Z_PK = 2"], kind: .wrongType,
            objects: ["Person/p2"], property: "photo"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZAGE = 70000 WHERE Z_PK = 1"], kind: .outOfRange,
            objects: ["Person/p1"], property: "age"),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZTEAM SET Z_OPT = 'x' WHERE Z_PK = 1"], kind: .badVersion,
            objects: ["Team/p1"]),
        .init(
            hazard: "HAZ-25", statements: ["UPDATE ZTEAM SET ZTITLE = CAST(x'41ff42' AS TEXT) WHERE Z_PK = 1"],
            kind: .invalidText, objects: ["Team/p1"], property: "title"),
        .init(
            hazard: "HAZ-29",
            statements: [
                "UPDATE ZPERSON SET ZPHOTO = CAST(x'02' || '0B0E4C6E-6B5E-4E0F-8E64-1B8E3F2D9A11' || x'00' AS BLOB) WHERE Z_PK = 2"
            ], kind: .missingFile, objects: ["Person/p2"], property: "photo"),
        .init(
            hazard: "HAZ-29",
            statements: [
                "UPDATE ZPERSON SET ZPHOTO = CAST(x'02' || '../../People.sqlite' || x'00' AS BLOB) WHERE Z_PK = 2"
            ],
            kind: .unusableFile, objects: ["Person/p2"], property: "photo"),
        .init(
            hazard: "HAZ-31",
            statements: ["DROP INDEX Z_Person_UNIQUE_code", "UPDATE ZPERSON SET ZCODE = 'c0' WHERE Z_PK IN (2, 3)"],
            kind: .duplicateValues, objects: ["Person/p2", "Person/p3"], property: "code", isRepairable: false),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 3"], kind: .missingValue,
            objects: ["Person/p3"], property: "name", isRepairable: false),
        .init(
            hazard: "HAZ-24", statements: ["UPDATE ZPERSON SET ZAGE = NULL WHERE Z_PK = 3"], kind: .missingValue,
            objects: ["Person/p3"], property: "age"),
    ]
}
