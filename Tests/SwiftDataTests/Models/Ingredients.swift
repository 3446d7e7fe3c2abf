import Foundation
import SwiftData

@Model
final class Ingredient {
    var id: UUID
    var value: Double
    var unit: Unit
    var ingredientBase: IngredientBase

    enum Unit: String, Codable { case ounce, millilitre }

    init(id: UUID, value: Double, unit: Unit, ingredientBase: IngredientBase) {
        self.id = id
        self.value = value
        self.unit = unit
        self.ingredientBase = ingredientBase
    }
}

@Model
final class IngredientBase {
    var baseCategory: String
    var id: UUID
    var info: String?
    var isCustom: Bool
    @Attribute(.unique) var name: String
    var prep: Prep?
    var specialtyCategory: String
    var tags: Tags?
    var umbrellaCategory: String

    struct Prep: Codable {
        var id: UUID
        var prepIngredientName: String
        var prepRecipe: [Step]
    }

    struct Step: Codable { var text: String }

    struct Tags: Codable {
        var flavors: [String]?
        var profiles: [String]?
        var styles: [String]?
        var booze: [String]?
        var nA: [String]?
    }

    init(name: String) {
        self.baseCategory = "base"
        self.id = UUID()
        self.isCustom = false
        self.name = name
        self.specialtyCategory = "none"
        self.umbrellaCategory = "all"
    }
}
