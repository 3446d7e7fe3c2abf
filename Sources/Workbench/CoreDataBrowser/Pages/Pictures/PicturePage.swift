import CoreData
import CoreDataPictures
import CoreDataPlaces
import UniformTypeIdentifiers

/// `GET …/values/{name}/picture`: type and size of a picture, and what it says of its making.
///
/// `{"type", "width", "height", "bytes", "taken", "instant", "camera", "lens", "place", "altitude", "problem", "hint"}`: `taken` as the
/// camera wrote it, `instant` only where the zone is known; `problem` says why the rest is missing, and `hint` what to do.
struct PicturePage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/picture")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let data = try await call.pictureData()
        do {
            let found = try PictureProperties(data)
            var members: [(String, JSONValue)] = [
                ("type", .text(found.type.preferredMIMEType)), ("width", .count(found.size.width)),
                ("height", .count(found.size.height)), ("bytes", .count(data.count)),
            ]
            do {
                members += Self.members(try await call.browser.pictures.details(of: data))
            } catch let error as PictureFileError {
                members += [("problem", .string(error.reason)), ("hint", .string(error.hint))]
            }
            return .json(.object(members))
        } catch let error as PictureFileError {
            throw BrowserFailure(error)
        }
    }

    private static func members(_ details: PictureDetails) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if let taken = details.taken {
            // Without a zone it was read in that of this machine, so that this gives back what the camera wrote.
            let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
                .year().month().day().time(includingFractionalSeconds: false)
            members.append(("taken", .string(taken.formatted(format))))
            if details.hasTimeZone { members.append(("instant", .string(taken.formatted(.iso8601)))) }
        }
        if let camera = details.camera { members.append(("camera", .string(camera))) }
        if let lens = details.lens { members.append(("lens", .string(lens))) }
        if let place = details.coordinate {
            members.append(("place", .array([.real(place.latitude), .real(place.longitude)])))
        }
        if let altitude = details.altitude { members.append(("altitude", .real(altitude))) }
        return members
    }
}
