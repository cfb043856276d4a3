import Foundation
import IndexStore

/// Where a file names a symbol.
struct Occurrence {
    let symbol: String
    let name: String
    let line: Int
    let isDefinition: Bool
    let isAsync: Bool
    /// The functions inside of which it is named.
    let callers: [String]
    /// What it stands for where it is called by a protocol's or a superclass's name.
    let overridden: [String]
}

/// What the compiler noted of one file.
struct IndexedFile {
    let path: String
    var occurrences: [Occurrence] = []
}

/// The index that the compiler writes beside a debug build.
struct Index {
    private let store: indexstore_t

    init(at path: String) throws(Failure) {
        var error: indexstore_error_t?
        guard let store = indexstore_store_create(path, &error) else {
            let reason = error.map { String(cString: indexstore_error_get_description($0)) }
            throw Failure("\(path) is no index: \(reason ?? "")")
        }
        self.store = store
    }

    /// The files whose paths begin so.
    func files(under folder: String) -> [IndexedFile] {
        var units: [String] = []
        let names = Receiver<indexstore_string_ref_t> { units.append(String($0)) }
        indexstore_store_units_apply_f(store, 1, names.context) { context, name in
            Receiver.receive(name, context)
        }
        return units.compactMap { file(of: $0, under: folder) }
    }

    private func file(of unit: String, under folder: String) -> IndexedFile? {
        guard let reader = indexstore_unit_reader_create(store, unit, nil) else { return nil }
        defer { indexstore_unit_reader_dispose(reader) }
        let path = String(indexstore_unit_reader_get_main_file(reader))
        // What was noted of a file that is gone by now may still be there.
        guard path.hasPrefix(folder), FileManager.default.fileExists(atPath: path) else { return nil }
        var records: [String] = []
        let dependencies = Receiver<indexstore_unit_dependency_t?> { dependency in
            // The file's own record, not those of what it imports.
            if indexstore_unit_dependency_get_kind(dependency) == INDEXSTORE_UNIT_DEPENDENCY_RECORD,
                String(indexstore_unit_dependency_get_filepath(dependency)) == path
            {
                records.append(String(indexstore_unit_dependency_get_name(dependency)))
            }
        }
        indexstore_unit_reader_dependencies_apply_f(reader, dependencies.context) { context, dependency in
            Receiver.receive(dependency, context)
        }
        return IndexedFile(path: path, occurrences: records.flatMap(occurrences))
    }

    private func occurrences(in record: String) -> [Occurrence] {
        guard let reader = indexstore_record_reader_create(store, record, nil) else { return [] }
        defer { indexstore_record_reader_dispose(reader) }
        var found: [Occurrence] = []
        let occurrences = Receiver<indexstore_occurrence_t?> { occurrence in
            let symbol = indexstore_occurrence_get_symbol(occurrence)
            let roles = indexstore_occurrence_get_roles(occurrence)
            let properties = indexstore_symbol_get_properties(symbol)
            var line: UInt32 = 0
            indexstore_occurrence_get_line_col(occurrence, &line, nil)
            let relations = relations(of: occurrence)
            found.append(
                Occurrence(
                    symbol: String(indexstore_symbol_get_usr(symbol)),
                    name: String(indexstore_symbol_get_name(symbol)),
                    line: Int(line),
                    isDefinition: roles & UInt64(INDEXSTORE_SYMBOL_ROLE_DEFINITION) != 0,
                    isAsync: properties & UInt64(INDEXSTORE_SYMBOL_PROPERTY_SWIFT_ASYNC) != 0,
                    callers: relations.named(
                        INDEXSTORE_SYMBOL_ROLE_REL_CALLEDBY | INDEXSTORE_SYMBOL_ROLE_REL_CONTAINEDBY
                    ),
                    overridden: relations.named(INDEXSTORE_SYMBOL_ROLE_REL_OVERRIDEOF)
                )
            )
        }
        indexstore_record_reader_occurrences_apply_f(reader, occurrences.context) { context, occurrence in
            Receiver.receive(occurrence, context)
        }
        return found
    }

    private func relations(of occurrence: indexstore_occurrence_t?) -> [Relation] {
        var relations: [Relation] = []
        let receiver = Receiver<indexstore_symbol_relation_t?> { relation in
            let symbol = indexstore_symbol_relation_get_symbol(relation)
            relations.append(
                Relation(
                    symbol: String(indexstore_symbol_get_usr(symbol)),
                    roles: indexstore_symbol_relation_get_roles(relation)
                )
            )
        }
        indexstore_occurrence_relations_apply_f(occurrence, receiver.context) { context, relation in
            Receiver.receive(relation, context)
        }
        return relations
    }
}

private struct Relation {
    let symbol: String
    let roles: UInt64
}

extension [Relation] {
    fileprivate func named(_ roles: Int) -> [String] { filter { $0.roles & UInt64(roles) != 0 }.map(\.symbol) }
}

/// What a C function calls for each of many things.
private final class Receiver<Value> {
    private let take: (Value) -> Void

    init(_ take: @escaping (Value) -> Void) { self.take = take }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func receive(_ value: Value, _ context: UnsafeMutableRawPointer?) -> Bool {
        guard let context else { return false }
        Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(value)
        return true
    }
}

extension String {
    fileprivate init(_ text: indexstore_string_ref_t) {
        let bytes = UnsafeRawBufferPointer(start: text.data, count: text.length)
        self.init(decoding: bytes, as: UTF8.self)
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
