import AuthCore
import AuthCoreSQLite
import AuthCoreTesting
import Foundation

/// A process whose files may grow no further; what it does next comes line by line from its input.
///
/// `limit BYTES` is the largest size of a file from then on, and `free PATH` removes a file. `people NAME COUNT` signs
/// people in until one cannot be, and `backup PATH` writes a copy.
enum SqueezedProcess {
    static func run(on configuration: AuthConfiguration) async throws {
        let service = AuthService(configuration)
        // Otherwise the system ends a process that writes beyond the limit.
        _ = signal(SIGXFSZ, SIG_IGN)
        StoreProcess.report("ready")
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words[0] {
            case "limit": setLargestFile(rlim_t(words[1]) ?? 0)
            case "free": try FileManager.default.removeItem(atPath: words[1])
            case "people": await signIn(Int(words[2]) ?? 0, called: words[1], on: service)
            #if SQLite
            case "backup": try await (configuration.store as? SQLiteStore)?.backup(to: words[1])
            #endif
            default: throw StoreProcess.Usage()
            }
            StoreProcess.report("done")
        }
    }

    private static func signIn(_ count: Int, called name: String, on service: AuthService) async {
        for number in 0..<count {
            do throws(AuthError) {
                let person = SimulatedPerson(name: name, email: "\(name)\(number)@gmail.com")
                _ = try await AuthClient(service: service).signIn(with: .simulated(.google, person))
                StoreProcess.report("answered \(name)\(number)@gmail.com")
            } catch {
                #if SQLite
                let code = (error.cause as? SQLiteError)?.primaryCode ?? 0
                #else
                let code = 0
                #endif
                return StoreProcess.report("failed \(error.code.name) \(code) \(error.message)")
            }
        }
    }

    private static func setLargestFile(_ bytes: rlim_t) {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = min(bytes, limit.rlim_max)
        unsafe setrlimit(resource, &limit)
    }
}
