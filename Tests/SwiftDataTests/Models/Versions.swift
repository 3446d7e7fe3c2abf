import Foundation
import SwiftData

/// Two versions of a class with one name.
enum UsersV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [User.self] }

    @Model
    final class User {
        var name: String?
        var createdAt: Date?

        init(name: String, createdAt: Date) {
            self.name = name
            self.createdAt = createdAt
        }
    }
}

enum UsersV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [User.self] }

    @Model
    final class User {
        var name: String?
        var email: String?
        var createdAt: Date?

        init(name: String, email: String?, createdAt: Date) {
            self.name = name
            self.email = email
            self.createdAt = createdAt
        }
    }
}
